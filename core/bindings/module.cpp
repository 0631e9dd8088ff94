#include "topics.hpp"

NB_MODULE(_core, module) {
    // A thread that waits for a pipe may still have a parser when Python exits. This is not a leak.
    nanobind::set_leak_warnings(false);
    module.doc() = "The C++ core of crossbranch: the parts that must be fast.";
    crossbranch::bindings::bind_binarization(module);
    crossbranch::bindings::bind_bracket_counter(module);
    crossbranch::bindings::bind_grammar(module);
    crossbranch::bindings::bind_linear(module);
    crossbranch::bindings::bind_lstm_training(module);
    crossbranch::bindings::bind_neural(module);
    crossbranch::bindings::bind_nodes(module);
    crossbranch::bindings::bind_resampling(module);
    crossbranch::bindings::bind_spans(module);
    crossbranch::bindings::bind_tagging(module);
    crossbranch::bindings::bind_functions(module);  // after tagging, whose templates it takes
    crossbranch::bindings::bind_transitions(module);
    crossbranch::bindings::bind_batch(module);
    crossbranch::bindings::bind_oracles(module);
    crossbranch::bindings::bind_choices(module);
    crossbranch::bindings::bind_neural_parser(module);
    crossbranch::bindings::bind_span_parser(module);
    crossbranch::bindings::bind_tree_distance(module);
    crossbranch::bindings::bind_tree_reader(module);
    crossbranch::bindings::bind_tree_shape(module);
    crossbranch::bindings::bind_tree_writer(module);
}
