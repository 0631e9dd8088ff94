// Independent pieces of work, done by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace crossbranch {

// Calls work(worker, piece) for every piece. Each worker has its own thread and takes one piece
// after the other. The first exception of a piece is thrown again.
template <typename Work>
void for_each_piece(std::size_t pieces, std::size_t workers, Work work) {
    workers = std::clamp<std::size_t>(workers, 1, std::max<std::size_t>(pieces, 1));
    std::atomic<std::size_t> next = 0;
    std::exception_ptr error;
    std::mutex guard;
    const auto run = [&](std::size_t worker) {
        try {
            for (std::size_t piece = next++; piece < pieces; piece = next++)
                work(worker, piece);
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!error)
                error = std::current_exception();
            next = pieces;
        }
    };
    std::vector<std::thread> threads;
    threads.reserve(workers);
    try {
        for (std::size_t worker = 1; worker < workers; ++worker)
            threads.emplace_back(run, worker);
    } catch (const std::system_error&) {
        // The system gives no more threads, so the existing ones do all the work.
    }
    run(0);
    for (std::thread& thread : threads)
        thread.join();
    if (error)
        std::rethrow_exception(error);
}

}  // namespace crossbranch
