// The kernels, written once for any kind of vector. Each kernels_*.cpp includes this file after it
// has defined `Lanes`, `tile_vectors` and `kernels_name`, inside its own unnamed namespace.
//
// Nothing here may call functions of the standard library: these files are compiled for machines
// that may be newer than this one, and the linker keeps only one copy of an inline function.

constexpr std::size_t lanes = Lanes::count;
constexpr std::size_t tile_rows = 6;
constexpr std::size_t panel_width = tile_vectors * lanes;
constexpr std::size_t chunk_floats = 65536;  // rows that stay in the second-level cache

// --- exponentials ---

// r + r^2/2! + ... + r^7/7! = e^r - 1, for |r| <= log(2) / 2.
inline Lanes series(Lanes r) {
    Lanes sum = Lanes::fill(1.0F / 5040);
    sum = fma(sum, r, Lanes::fill(1.0F / 720));
    sum = fma(sum, r, Lanes::fill(1.0F / 120));
    sum = fma(sum, r, Lanes::fill(1.0F / 24));
    sum = fma(sum, r, Lanes::fill(1.0F / 6));
    sum = fma(sum, r, Lanes::fill(0.5F));
    return fma(sum, r * r, r);
}

struct Exponential {
    Lanes power;  // e^x = power * (1 + rest), with a power of two
    Lanes rest;
};

// For |x| <= 87.
inline Exponential exponential(Lanes x) {
    const Lanes magic = Lanes::fill(12582912.0F);  // 1.5 * 2^23: adding it rounds to a whole number
    const Lanes shifted = fma(x, Lanes::fill(1.44269504F), magic);
    const Lanes whole = shifted - magic;
    Lanes r = fma(whole, Lanes::fill(-0.693359375F), x);  // log(2) in two parts
    r = fma(whole, Lanes::fill(2.12194440e-4F), r);
    return {power_of_two(shifted), series(r)};
}

inline Lanes clamp(Lanes x, float limit) {
    return smaller(larger(x, Lanes::fill(-limit)), Lanes::fill(limit));
}

inline Lanes tanh_of(Lanes x) {
    const Exponential e = exponential(clamp(x + x, 20.0F));
    const Lanes difference = fma(e.power, e.rest, e.power - Lanes::fill(1.0F));  // e^2x - 1
    return difference / (difference + Lanes::fill(2.0F));
}

inline Lanes sigmoid_of(Lanes x) {
    const Exponential e = exponential(clamp(Lanes::fill(0.0F) - x, 87.0F));
    return Lanes::fill(1.0F) / fma(e.power, e.rest, e.power + Lanes::fill(1.0F));
}

// --- loops over vectors; the last one may be a part of a vector ---

template <typename Function>
inline void for_each_vector(std::size_t count, Function function) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        function(i, lanes);
    if (i < count)
        function(i, count - i);
}

inline Lanes load(const float* values, std::size_t count) {
    return count == lanes ? Lanes::load(values) : Lanes::load_part(values, count);
}

inline void store(Lanes vector, float* values, std::size_t count) {
    if (count == lanes)
        vector.store(values);
    else
        vector.store_part(values, count);
}

void apply_tanh(float* values, std::size_t count) {
    for_each_vector(count, [=](std::size_t i, std::size_t part) {
        store(tanh_of(load(values + i, part)), values + i, part);
    });
}

void apply_sigmoid(float* values, std::size_t count) {
    for_each_vector(count, [=](std::size_t i, std::size_t part) {
        store(sigmoid_of(load(values + i, part)), values + i, part);
    });
}

void lstm_cell(const float* gates, float* cell, float* hidden, std::size_t units) {
    for_each_vector(units, [=](std::size_t i, std::size_t part) {
        const Lanes input = sigmoid_of(load(gates + i, part));
        const Lanes forget = sigmoid_of(load(gates + units + i, part));
        const Lanes candidate = tanh_of(load(gates + 2 * units + i, part));
        const Lanes output = sigmoid_of(load(gates + 3 * units + i, part));
        const Lanes state = fma(forget, load(cell + i, part), input * candidate);
        store(state, cell + i, part);
        store(output * tanh_of(state), hidden + i, part);
    });
}

// Four vectors at once, because an addition waits for the one before it.
void sum_rows(const float* const* rows, std::size_t row_count, float* out, std::size_t width) {
    std::size_t i = 0;
    for (; i + 4 * lanes <= width; i += 4 * lanes) {
        Lanes sums[4] = {Lanes::fill(0), Lanes::fill(0), Lanes::fill(0), Lanes::fill(0)};
        for (std::size_t row = 0; row < row_count; ++row)
            for (std::size_t v = 0; v < 4; ++v)
                sums[v] = sums[v] + Lanes::load(rows[row] + i + v * lanes);
        for (std::size_t v = 0; v < 4; ++v)
            sums[v].store(out + i + v * lanes);
    }
    for_each_vector(width - i, [=](std::size_t j, std::size_t part) {
        Lanes sum = Lanes::fill(0);
        for (std::size_t row = 0; row < row_count; ++row)
            sum = sum + load(rows[row] + i + j, part);
        store(sum, out + i + j, part);
    });
}

void add(const float* values, float* out, std::size_t count) {
    for_each_vector(count, [=](std::size_t i, std::size_t part) {
        store(load(out + i, part) + load(values + i, part), out + i, part);
    });
}

void keep_largest(const float* values, float* out, std::size_t count) {
    for_each_vector(count, [=](std::size_t i, std::size_t part) {
        store(larger(load(out + i, part), load(values + i, part)), out + i, part);
    });
}

void add_gated(const float* gates, const float* values, float* out, std::size_t count) {
    for_each_vector(count, [=](std::size_t i, std::size_t part) {
        const Lanes sum = fma(load(gates + i, part), load(values + i, part), load(out + i, part));
        store(sum, out + i, part);
    });
}

float dot(const float* left, const float* right, std::size_t count) {
    Lanes sums = Lanes::fill(0);
    for_each_vector(count, [&](std::size_t i, std::size_t part) {
        sums = fma(load(left + i, part), load(right + i, part), sums);
    });
    float parts[lanes];
    sums.store(parts);
    float sum = 0;
    for (std::size_t i = 0; i < lanes; ++i)
        sum += parts[i];
    return sum;
}

// --- matrix products ---

// A tile of `rows` rows and `vectors` vectors of columns, all in registers.
template <std::size_t rows, std::size_t vectors>
void multiply_tile(const Product& product, const float* in, const float* panel, const float* bias,
                   float* out, std::size_t width) {
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
        Lanes weights[vectors];
        for (std::size_t v = 0; v < vectors; ++v)
            weights[v] = Lanes::load(panel + (k * vectors + v) * lanes);
        for (std::size_t row = 0; row < rows; ++row) {
            const Lanes value = Lanes::fill(in[row * in_stride + k]);
            for (std::size_t v = 0; v < vectors; ++v)
                sums[row][v] = fma(value, weights[v], sums[row][v]);
        }
    }
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t v = 0; v < vectors; ++v)
            store(sums[row][v], out + row * product.out_stride + v * lanes,
                  v + 1 == vectors ? last : lanes);
}

using Tile = void (*)(const Product&, const float*, const float*, const float*, float*,
                      std::size_t);

// The tile of this size. Both sizes are at least 1.
template <std::size_t rows = tile_rows, std::size_t vectors = tile_vectors>
Tile find_tile(std::size_t row_count, std::size_t vector_count) {
    if constexpr (rows > 1) {
        if (row_count < rows)
            return find_tile<rows - 1, vectors>(row_count, vector_count);
    }
    if constexpr (vectors > 1) {
        if (vector_count < vectors)
            return find_tile<rows, vectors - 1>(row_count, vector_count);
    }
    return multiply_tile<rows, vectors>;
}

void multiply_chunk(const Product& product, std::size_t begin, std::size_t end) {
    for (std::size_t column = 0; column < product.columns; column += panel_width) {
        const std::size_t left = product.columns - column;
        const std::size_t width = left < panel_width ? left : panel_width;
        const std::size_t vectors = (width + lanes - 1) / lanes;
        const float* panel = product.panels + column * product.depth;
        const float* bias = product.bias == nullptr ? nullptr : product.bias + column;
        const Tile whole = find_tile(tile_rows, vectors);
        for (std::size_t row = begin; row < end; row += tile_rows) {
            const Tile tile = row + tile_rows <= end ? whole : find_tile(end - row, vectors);
            tile(product, product.in + row * product.in_stride, panel, bias,
                 product.out + row * product.out_stride + column, width);
        }
    }
}

void multiply(const Product& product) {
    const std::size_t fitting = chunk_floats / (product.depth + 1) / tile_rows;
    const std::size_t chunk = (fitting < 4 ? 4 : fitting) * tile_rows;
    for (std::size_t row = 0; row < product.row_count; row += chunk) {
        const std::size_t left = product.row_count - row;
        multiply_chunk(product, row, row + (left < chunk ? left : chunk));
    }
}

constexpr Kernels made_kernels = {kernels_name, lanes,         panel_width, multiply,
                                  apply_tanh,   apply_sigmoid, lstm_cell,   sum_rows,
                                  add,          keep_largest,  add_gated,   dot};
