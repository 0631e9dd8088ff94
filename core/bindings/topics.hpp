// The functions by which each file of the bindings adds its part to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace crossbranch::bindings {

void bind_batch(nanobind::module_& module);
void bind_bracket_counter(nanobind::module_& module);
void bind_choices(nanobind::module_& module);
void bind_binarization(nanobind::module_& module);
void bind_grammar(nanobind::module_& module);
void bind_linear(nanobind::module_& module);
void bind_lstm_training(nanobind::module_& module);
void bind_neural(nanobind::module_& module);
void bind_neural_parser(nanobind::module_& module);
void bind_nodes(nanobind::module_& module);
void bind_oracles(nanobind::module_& module);
void bind_resampling(nanobind::module_& module);
void bind_span_parser(nanobind::module_& module);
void bind_spans(nanobind::module_& module);
void bind_tagging(nanobind::module_& module);
void bind_functions(nanobind::module_& module);
void bind_transitions(nanobind::module_& module);
void bind_tree_distance(nanobind::module_& module);
void bind_tree_reader(nanobind::module_& module);
void bind_tree_shape(nanobind::module_& module);
void bind_tree_writer(nanobind::module_& module);

}  // namespace crossbranch::bindings
