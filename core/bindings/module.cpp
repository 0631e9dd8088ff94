#include "topics.hpp"

NB_MODULE(_core, module) {
    module.doc() = "The C++ core of crossbranch: what loops over all nodes of a tree.";
    crossbranch::bindings::bind_binarization(module);
    crossbranch::bindings::bind_resampling(module);
    crossbranch::bindings::bind_tree_distance(module);
    crossbranch::bindings::bind_tree_shape(module);
}
