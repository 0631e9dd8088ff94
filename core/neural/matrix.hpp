// Matrices of floats: those that are computed, and the weights, which are packed once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "neural/kernels.hpp"

namespace crossbranch::neural {

// Memory for numbers that is not initialised and begins at a cache line.
template <typename Value>
class Memory {
  public:
    Memory() = default;
    explicit Memory(std::size_t size)
        : memory_(static_cast<Value*>(::operator new(size * sizeof(Value), line))), size_(size) {}

    [[nodiscard]] Value* data() { return memory_.get(); }
    [[nodiscard]] const Value* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    static constexpr std::align_val_t line{64};
    struct Free {
        void operator()(Value* memory) const { ::operator delete(memory, line); }
    };

    std::unique_ptr<Value, Free> memory_;
    std::size_t size_ = 0;
};

// Rows of floats without space between them. The memory is kept when the number of rows changes.
class Matrix {
  public:
    Matrix() = default;
    Matrix(std::size_t rows, std::size_t columns) { resize(rows, columns); }

    // The values are not kept.
    void resize(std::size_t rows, std::size_t columns) {
        if (rows * columns > floats_.size())
            floats_ = Memory<float>(rows * columns);
        rows_ = rows;
        columns_ = columns;
    }
    void fill(float value) { std::fill_n(floats_.data(), rows_ * columns_, value); }

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    [[nodiscard]] float* data() { return floats_.data(); }
    [[nodiscard]] const float* data() const { return floats_.data(); }
    [[nodiscard]] float* row(std::size_t i) { return floats_.data() + i * columns_; }
    [[nodiscard]] const float* row(std::size_t i) const { return floats_.data() + i * columns_; }
    [[nodiscard]] std::span<const float> values() const {
        return {floats_.data(), rows_ * columns_};
    }

  private:
    Memory<float> floats_;
    std::size_t rows_ = 0, columns_ = 0;
};

// Rows that are added one by one. Their memory does not move, and is kept when they are cleared.
class RowStore {
  public:
    void clear(std::size_t columns) {
        if (columns != columns_)
            blocks_.clear();
        columns_ = columns;
        used_ = 0;
    }
    // A new row, not initialised.
    [[nodiscard]] float* add() {
        if (used_ == blocks_.size() * block_rows)
            blocks_.emplace_back(block_rows, columns_);
        return row(used_++);
    }
    [[nodiscard]] std::size_t size() const { return used_; }
    [[nodiscard]] float* row(std::size_t i) { return blocks_[i / block_rows].row(i % block_rows); }
    [[nodiscard]] const float* row(std::size_t i) const {
        return blocks_[i / block_rows].row(i % block_rows);
    }

  private:
    static constexpr std::size_t block_rows = 256;

    std::vector<Matrix> blocks_;
    std::size_t columns_ = 0, used_ = 0;
};

// The numbers of products. Sums always have 32 bits.
enum class Precision : std::uint8_t {
    float32,
    bfloat16  // weights and inputs are rounded to 8 bits, if the machine can multiply such numbers
};

// The weights and bias of a linear map, in the order in which the kernels read them: panels of some
// columns of W^T, padded with zeros to whole vectors.
class PackedMatrix {
  public:
    PackedMatrix() = default;
    // `weights` has outputs x inputs numbers; `bias` has one for each output, or is empty.
    PackedMatrix(std::span<const float> weights, std::size_t outputs, std::size_t inputs,
                 std::span<const float> bias, Precision precision = Precision::float32,
                 const Kernels& chosen = kernels());

    [[nodiscard]] std::size_t inputs() const { return inputs_; }
    [[nodiscard]] std::size_t outputs() const { return outputs_; }

    // out = in * W^T + bias, for some rows. Strides are in floats.
    void multiply(const float* in, std::size_t in_stride, std::size_t rows, float* out,
                  std::size_t out_stride) const {
        run(in, in_stride, rows, bias_.data(), out, out_stride);
    }
    // out += in * W^T
    void multiply_add(const float* in, std::size_t in_stride, std::size_t rows, float* out,
                      std::size_t out_stride) const {
        run(in, in_stride, rows, nullptr, out, out_stride);
    }
    // The first one for whole matrices. `out` gets its size.
    void multiply(const Matrix& in, Matrix& out) const;

  private:
    void pack(std::span<const float> weights, std::size_t padded);
    void pack_pairs(std::span<const float> weights, std::size_t padded);
    void run(const float* in, std::size_t in_stride, std::size_t rows, const float* bias,
             float* out, std::size_t out_stride) const;
    void run_pairs(const float* in, std::size_t in_stride, std::size_t rows, const float* bias,
                   float* out, std::size_t out_stride) const;

    const Kernels* kernels_ = nullptr;
    std::size_t outputs_ = 0, inputs_ = 0;
    Memory<float> panels_;
    Memory<Pair> pair_panels_;  // instead of the others
    Memory<float> bias_;
};

}  // namespace crossbranch::neural
