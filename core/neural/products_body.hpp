// Matrix products, written once for any kind of vector and of number. Each kernels_*.cpp includes
// this file inside its own unnamed namespace, after it has defined
//
//   Lanes           a vector of floats
//   tile_vectors    the number of vectors in a row of a tile
//   Factor<Value>   a vector of weights, or of copies of an input; fma(Factor, Factor, Lanes)
//
// Nothing here may call functions of the standard library: these files are compiled for machines
// that may be newer than this one, and the linker keeps only one copy of an inline function.

constexpr std::size_t lanes = Lanes::count;
constexpr std::size_t tile_rows = 6;
constexpr std::size_t panel_width = tile_vectors * lanes;
constexpr std::size_t chunk_values = 65536;  // rows that stay in the second-level cache

inline Lanes load(const float* values, std::size_t count) {
    return count == lanes ? Lanes::load(values) : Lanes::load_part(values, count);
}

inline void store(Lanes vector, float* values, std::size_t count) {
    if (count == lanes)
        vector.store(values);
    else
        vector.store_part(values, count);
}

// A tile of `rows` rows and `vectors` vectors of columns, all in registers.
template <typename Value, std::size_t rows, std::size_t vectors>
void multiply_tile(const ProductOf<Value>& product, const Value* in, const Value* panel,
                   const float* bias, float* out, std::size_t width) {
    const std::size_t in_stride = product.in_stride;
    const std::size_t last = width - (vectors - 1) * lanes;  // values of the last vector
    Lanes sums[rows][vectors];
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t v = 0; v < vectors; ++v) {
            if (bias != nullptr)
                sums[row][v] = Lanes::load(bias + v * lanes);
            else
                sums[row][v] = load(out + row * product.out_stride + v * lanes,
                                    v + 1 == vectors ? last : lanes);
        }
    }
    for (std::size_t k = 0; k < product.depth; ++k) {
        Factor<Value> weights[vectors];
        for (std::size_t v = 0; v < vectors; ++v)
            weights[v] = Factor<Value>::load(panel + (k * vectors + v) * lanes);
        for (std::size_t row = 0; row < rows; ++row) {
            const Factor<Value> value = Factor<Value>::fill(in[row * in_stride + k]);
            for (std::size_t v = 0; v < vectors; ++v)
                sums[row][v] = fma(value, weights[v], sums[row][v]);
        }
    }
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t v = 0; v < vectors; ++v)
            store(sums[row][v], out + row * product.out_stride + v * lanes,
                  v + 1 == vectors ? last : lanes);
}

template <typename Value>
using Tile = void (*)(const ProductOf<Value>&, const Value*, const Value*, const float*, float*,
                      std::size_t);

// The tile of this size. Both sizes are at least 1.
template <typename Value, std::size_t rows = tile_rows, std::size_t vectors = tile_vectors>
Tile<Value> find_tile(std::size_t row_count, std::size_t vector_count) {
    if constexpr (rows > 1) {
        if (row_count < rows)
            return find_tile<Value, rows - 1, vectors>(row_count, vector_count);
    }
    if constexpr (vectors > 1) {
        if (vector_count < vectors)
            return find_tile<Value, rows, vectors - 1>(row_count, vector_count);
    }
    return multiply_tile<Value, rows, vectors>;
}

template <typename Value>
void multiply_chunk(const ProductOf<Value>& product, std::size_t begin, std::size_t end) {
    for (std::size_t column = 0; column < product.columns; column += panel_width) {
        const std::size_t left = product.columns - column;
        const std::size_t width = left < panel_width ? left : panel_width;
        const std::size_t vectors = (width + lanes - 1) / lanes;
        const Value* panel = product.panels + column * product.depth;
        const float* bias = product.bias == nullptr ? nullptr : product.bias + column;
        const Tile<Value> whole = find_tile<Value>(tile_rows, vectors);
        for (std::size_t row = begin; row < end; row += tile_rows) {
            const bool is_whole = row + tile_rows <= end;
            const Tile<Value> tile = is_whole ? whole : find_tile<Value>(end - row, vectors);
            tile(product, product.in + row * product.in_stride, panel, bias,
                 product.out + row * product.out_stride + column, width);
        }
    }
}

template <typename Value>
void multiply(const ProductOf<Value>& product) {
    const std::size_t fitting = chunk_values / (product.depth + 1) / tile_rows;
    const std::size_t chunk = (fitting < 4 ? 4 : fitting) * tile_rows;
    for (std::size_t row = 0; row < product.row_count; row += chunk) {
        const std::size_t left = product.row_count - row;
        multiply_chunk(product, row, row + (left < chunk ? left : chunk));
    }
}
