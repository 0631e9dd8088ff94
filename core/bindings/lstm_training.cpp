// The recurrent part of LSTM layers in training, for Python.
#include "neural/lstm_training.hpp"

#include "convert.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using Weights = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

neural::LstmRun make_run(const Buffer<std::int32_t>& lengths, const Weights& forward,
                         const Weights& backward, const Target<float>& gates,
                         const Target<float>& kept) {
    return {.units = forward.shape(1),
            .lengths = view(lengths),
            .recurrent = {std::span(forward.data(), forward.size()),
                          std::span(backward.data(), backward.size())},
            .gates = view(gates),
            .kept = view(kept)};
}

void run_lstm(const Buffer<std::int32_t>& lengths, const Weights& forward, const Weights& backward,
              const Target<float>& gates, const Target<float>& kept, const Target<float>& hidden) {
    const nb::gil_scoped_release release;
    neural::run_lstm(make_run(lengths, forward, backward, gates, kept), view(hidden));
}

void run_lstm_back(const Buffer<std::int32_t>& lengths, const Weights& forward,
                   const Weights& backward, const Target<float>& gates, const Target<float>& kept,
                   const Target<float>& hidden_gradients, const Target<float>& gate_gradients) {
    const nb::gil_scoped_release release;
    neural::run_lstm_back(make_run(lengths, forward, backward, gates, kept), view(hidden_gradients),
                          view(gate_gradients));
}

}  // namespace

void bind_lstm_training(nb::module_& module) {
    module.def("run_lstm", &run_lstm, "lengths"_a, "forward"_a, "backward"_a, "gates"_a, "kept"_a,
               "hidden"_a,
               nb::sig("def run_lstm(lengths: typing.Any, forward: typing.Any, backward: "
                       "typing.Any, gates: typing.Any, kept: typing.Any, hidden: typing.Any) -> "
                       "None"),
               R"(Compute the states of a bidirectional LSTM layer, for training.

All arrays but the first have 32-bit floats. The last three are written.

Args:
    lengths: The number of tokens of each sequence, as 32-bit numbers.
    forward: The recurrent weights of the first direction: 4 * units x units.
    backward: Those of the second direction.
    gates: 2 x tokens x 4 * units: what the inputs give to the gates; then the values of the gates.
    kept: 2 x tokens x 2 * units: the cell, and the hidden state before the token.
    hidden: tokens x 2 * units: the states.)");
    module.def("run_lstm_back", &run_lstm_back, "lengths"_a, "forward"_a, "backward"_a, "gates"_a,
               "kept"_a, "hidden_gradients"_a, "gate_gradients"_a,
               nb::sig("def run_lstm_back(lengths: typing.Any, forward: typing.Any, backward: "
                       "typing.Any, gates: typing.Any, kept: typing.Any, hidden_gradients: "
                       "typing.Any, gate_gradients: typing.Any) -> None"),
               R"(Compute gradients of what the inputs gave to the gates, from those of the states.

The other arrays are those of `run_lstm`. The last one is written.)");
}

}  // namespace crossbranch::bindings
