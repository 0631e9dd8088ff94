// The kernels, written once for any kind of vector. Each kernels_*.cpp includes this file after
// products_body.hpp, with the same rules, when it has defined `kernels_name`.

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

void keep_lstm_cell(float* gates, const float* before, float* cell, float* hidden,
                    std::size_t units) {
    for_each_vector(units, [=](std::size_t i, std::size_t part) {
        const Lanes input = sigmoid_of(load(gates + i, part));
        const Lanes forget = sigmoid_of(load(gates + units + i, part));
        const Lanes candidate = tanh_of(load(gates + 2 * units + i, part));
        const Lanes output = sigmoid_of(load(gates + 3 * units + i, part));
        const Lanes state = fma(forget, load(before + i, part), input * candidate);
        store(input, gates + i, part);
        store(forget, gates + units + i, part);
        store(candidate, gates + 2 * units + i, part);
        store(output, gates + 3 * units + i, part);
        store(state, cell + i, part);
        store(output * tanh_of(state), hidden + i, part);
    });
}

void lstm_cell_gradient(const float* gates, const float* before, const float* cell,
                        const float* hidden_gradient, float* cell_gradient, float* gate_gradient,
                        std::size_t units) {
    const Lanes one = Lanes::fill(1.0F);
    for_each_vector(units, [=](std::size_t i, std::size_t part) {
        const Lanes input = load(gates + i, part);
        const Lanes forget = load(gates + units + i, part);
        const Lanes candidate = load(gates + 2 * units + i, part);
        const Lanes output = load(gates + 3 * units + i, part);
        const Lanes seen = tanh_of(load(cell + i, part));
        const Lanes hidden = load(hidden_gradient + i, part);
        const Lanes state = fma(hidden * output, one - seen * seen, load(cell_gradient + i, part));
        store(state * candidate * input * (one - input), gate_gradient + i, part);
        store(state * load(before + i, part) * forget * (one - forget), gate_gradient + units + i,
              part);
        store(state * input * (one - candidate * candidate), gate_gradient + 2 * units + i, part);
        store(hidden * seen * output * (one - output), gate_gradient + 3 * units + i, part);
        store(state * forget, cell_gradient + i, part);
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

constexpr Kernels made_kernels = {kernels_name,
                                  lanes,
                                  panel_width,
                                  multiply<float>,
                                  apply_tanh,
                                  apply_sigmoid,
                                  lstm_cell,
                                  keep_lstm_cell,
                                  lstm_cell_gradient,
                                  sum_rows,
                                  add,
                                  keep_largest,
                                  add_gated,
                                  dot};
