// The token encoder: from the words of a sentence to one vector for each token.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neural/characters.hpp"
#include "neural/lstm.hpp"

namespace crossbranch::neural {

// How a layer's input y is joined with its output x.
enum class Residual : std::uint8_t {
    none,  // x
    add,   // x + y
    gated  // x + r * y, r = sigmoid([x; y]W + b): definition 6.1 of Mielczarek (2023)
};

struct TaskDescription {
    std::string name;
    std::size_t level;  // 0: the first layer
};

struct EncoderDescription {
    std::string prefix;               // of the names of all tensors
    std::vector<Residual> residuals;  // one for each bi-LSTM layer
    std::vector<TaskDescription> tasks;
};

// The tokens of some sentences. What the network does not have may be left empty.
struct TokenBatch {
    Starts sentences;  // sentence i has the tokens sentences[i] up to sentences[i + 1]
    std::span<const std::uint32_t> words, tags;  // one number for each token; 0: unknown
    TokenForms forms;
    std::span<const float> features;  // for each token, as many as the network expects
};

struct EncoderMemory {
    CharacterMemory characters;
    LstmMemory lstm;
    Matrix inputs, projected, first, both, gates;
    std::vector<Matrix> levels;  // the result: one row for each token, at each level
};

// Inputs in this order, each only if it is there:
//
//   characters.*              see CharacterEncoder
//   words.weight              one row for each word; row 0 is for unknown words
//   tags.weight               the same for tags
//   features.first, .second   linear maps of the features, with tanh after the first one; features
//                             without these maps are taken as they are
//   projection                a linear map of all inputs together
//   levels.0.lstm.* ...       bi-LSTM layers, as in torch.nn.LSTM
//   levels.0.gate ...         the linear map of a gated residual connection
//   tasks.NAME                the linear map of a task
class Encoder {
  public:
    Encoder(const Tensors& tensors, EncoderDescription description);

    [[nodiscard]] std::size_t outputs() const { return levels_.back().lstm.outputs(); }
    [[nodiscard]] std::size_t level_count() const { return levels_.size(); }
    [[nodiscard]] std::size_t feature_count() const { return feature_count_; }
    [[nodiscard]] const std::vector<TaskDescription>& tasks() const { return description_.tasks; }
    [[nodiscard]] std::size_t class_count(std::size_t task) const {
        return tasks_.at(task).outputs();
    }

    // Throws std::invalid_argument for a batch that does not fit the network.
    void check(const TokenBatch& batch) const;

    // Leaves the vectors in `memory.levels`. The batch has been checked, perhaps as a part of a
    // larger one.
    void encode(const TokenBatch& batch, EncoderMemory& memory) const;

    // The scores of all classes of a task, after `encode`.
    void score_task(std::size_t task, const EncoderMemory& memory, Matrix& scores) const;
    // The best class of each token.
    [[nodiscard]] std::vector<std::uint32_t> best_classes(std::size_t task,
                                                          const EncoderMemory& memory) const;

  private:
    struct Level {
        BiLstm lstm;
        std::optional<PackedMatrix> gate;
    };
    struct Table {
        std::size_t rows = 0, columns = 0;
        std::vector<float> values;
    };

    void add_table(const Tensors& tensors, const std::string& name, std::optional<Table>& table);
    void add_features(const Tensors& tensors, std::size_t inputs);
    static void look_up(const std::optional<Table>& table, std::span<const std::uint32_t> rows,
                        std::size_t& column, Matrix& out);
    void write_inputs(const TokenBatch& batch, EncoderMemory& memory) const;
    void write_features(const TokenBatch& batch, std::size_t column, EncoderMemory& memory) const;
    void join(std::size_t level, const Matrix& in, EncoderMemory& memory) const;

    EncoderDescription description_;
    std::optional<CharacterEncoder> characters_;
    std::optional<Table> words_, tags_;
    std::size_t feature_count_ = 0;
    std::size_t inputs_ = 0;  // of the projection or of the first layer
    std::optional<PackedMatrix> features_first_, features_second_;
    std::optional<PackedMatrix> projection_;
    std::vector<Level> levels_;
    std::vector<PackedMatrix> tasks_;
};

}  // namespace crossbranch::neural
