#include <set>
#include <stdexcept>

#include "base/parallel.hpp"
#include "check.hpp"

using namespace crossbranch;

TEST(every_piece_is_done_once) {
    for (const std::size_t pieces : {0, 1, 2, 7, 200})
        for (const std::size_t workers : {0, 1, 2, 5, 64}) {
            std::vector<int> done(pieces);
            std::vector<std::size_t> by(pieces);
            for_each_piece(pieces, workers, [&](std::size_t worker, std::size_t piece) {
                ++done[piece];
                by[piece] = worker;
            });
            CHECK(std::ranges::all_of(done, [](int times) { return times == 1; }));
            CHECK(std::ranges::all_of(by, [&](std::size_t worker) {
                return worker <
                       std::clamp<std::size_t>(workers, 1, std::max<std::size_t>(pieces, 1));
            }));
        }
}

TEST(one_worker_goes_through_all_in_order_in_this_thread) {
    std::vector<std::size_t> order;
    const auto here = std::this_thread::get_id();
    for_each_piece(5, 1, [&](std::size_t, std::size_t piece) {
        order.push_back(piece);
        CHECK(std::this_thread::get_id() == here);
    });
    CHECK(order == std::vector<std::size_t>{0, 1, 2, 3, 4});
}

TEST(no_two_threads_are_the_same_worker) {
    std::vector<std::set<std::thread::id>> threads(4);
    for_each_piece(400, 4, [&](std::size_t worker, std::size_t) {
        threads[worker].insert(std::this_thread::get_id());
        std::this_thread::yield();
    });
    std::set<std::thread::id> all;
    std::size_t count = 0;
    for (const auto& ids : threads) {
        CHECK(ids.size() <= 1);
        all.insert(ids.begin(), ids.end());
        count += ids.size();
    }
    CHECK(all.size() == count);
}

TEST(what_a_piece_throws_arrives_here) {
    for (const std::size_t workers : {1, 2, 8}) {
        std::atomic<std::size_t> done = 0;
        CHECK(check::throws<std::runtime_error>(
            [&] {
                for_each_piece(10'000, workers, [&](std::size_t, std::size_t piece) {
                    if (piece == 3)
                        throw std::runtime_error("piece 3");
                    ++done;
                    std::this_thread::yield();
                });
            },
            "piece 3"));
        CHECK(done < 9'999 || workers > 1);
        CHECK(workers > 1 || done == 3);  // nothing is started after that
    }
}

TEST(all_pieces_may_throw) {
    CHECK(check::throws<std::runtime_error>(
        [] {
            for_each_piece(
                100, 8, [](std::size_t, std::size_t) { throw std::runtime_error("any of them"); });
        },
        "any of them"));
}
