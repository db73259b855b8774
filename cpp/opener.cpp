// What one number or two settle, cell by cell: only numbers that something new is known of are looked at.
#include "opener.hpp"

#include <algorithm>

#include "random.hpp"

namespace sapper {

std::uint64_t Opener::hash_of(std::uint32_t cell, std::uint8_t number) {
    return mixed((std::uint64_t{cell} << 8 | number) + 1);
}

void Opener::load(const Position& position, const Grid& grid) {
    grid_ = &grid;
    stride_ = grid.stride();
    codes_.assign(position.codes.begin(), position.codes.end());
    std::replace(codes_.begin(), codes_.end(), flag_code, hidden_code);
    opened_.clear();
    first_.assign(grid.size(), {});
    std::uint32_t hidden = 0;
    for (std::uint32_t cell = 0; cell < codes_.size(); ++cell) {
        const std::uint32_t place = grid.place_at(cell);
        const bool is_hidden = codes_[cell] == hidden_code;
        const bool is_number = codes_[cell] < hidden_code;
        first_[place] = {is_hidden,          grid.unknown()[place], grid.mine()[place], is_number,
                         grid.room()[place], grid.need()[place],    1,                  1};
        hidden += is_hidden;
    }
    safe_ = hidden - position.mines;
    for (Queue* queue : {&to_open_, &to_count_, &to_compare_}) queue->resize(grid.size());

    const auto stride = static_cast<std::int32_t>(stride_);
    const auto step = [&](std::int32_t rows, std::int32_t columns) {
        return static_cast<std::uint32_t>(rows * stride + columns);
    };
    pairs_.clear();
    for (std::int32_t rows = -2; rows <= 2; ++rows) {
        for (std::int32_t columns = -2; columns <= 2; ++columns) {
            if (rows == 0 && columns == 0) {
                continue;
            }
            Pair pair{step(rows, columns), 0, {}};
            for (std::int32_t i = std::max(rows, 0) - 1; i <= std::min(rows, 0) + 1; ++i) {
                for (std::int32_t j = std::max(columns, 0) - 1; j <= std::min(columns, 0) + 1; ++j) {
                    const bool is_either = (i == 0 && j == 0) || (i == rows && j == columns);
                    if (!is_either) pair.common[pair.count++] = step(i, j);
                }
            }
            pairs_.push_back(pair);
        }
    }
}

void Opener::begin(std::span<const std::uint8_t> mines) {
    mines_ = mines;
    places_ = first_;
    for (const std::uint32_t cell : opened_) codes_[cell] = hidden_code;
    opened_.clear();
    left_ = safe_;
    hash_ = 0;
}

bool Opener::open(std::uint32_t cell) {
    const std::uint32_t place = grid_->place_at(cell);
    if (mines_[place]) {
        return false;
    }
    await(places_[place], place);
    for (;;) {
        if (!to_open_.empty()) {
            show(to_open_.pop());
        } else if (!to_count_.empty()) {
            count(to_count_.pop());
        } else if (!to_compare_.empty()) {
            compare(to_compare_.pop());
        } else {
            return true;
        }
    }
}

// Has a place opened, if it is a hidden cell.
void Opener::await(Place& place, std::uint32_t at) {
    if (place.hidden) {
        place.hidden = 0;
        to_open_.push(at);
    }
}

void Opener::show(std::uint32_t place) {
    if (places_[place].unknown) determine(place);
    std::uint8_t number = 0, known = 0;
    visit(place, [&, mines = mines_.data()](const Place& near, std::uint32_t at) {
        number = static_cast<std::uint8_t>(number + mines[at]);
        known = static_cast<std::uint8_t>(known + near.mine);
    });
    const std::uint32_t cell = grid_->cell_at(place);
    codes_[cell] = number;
    opened_.push_back(cell);
    hash_ ^= hash_of(cell, number);
    --left_;
    if (number == 0) {
        visit(place, [&](Place& near, std::uint32_t at) { await(near, at); });
        return;
    }
    Place& shown = places_[place];
    shown.number = 1;
    shown.need = static_cast<std::uint8_t>(number - known);
    touch(shown, place);
}

// Notes that a place is unknown no more.
void Opener::determine(std::uint32_t place) {
    places_[place].unknown = 0;
    visit(place, [&](Place& near, std::uint32_t at) {
        --near.room;
        touch(near, at);
    });
}

void Opener::lay_mine(std::uint32_t place) {
    places_[place].mine = 1;
    visit(place, [](Place& near, std::uint32_t) { --near.need; });
    determine(place);
}

// Notes that something new is known of a number, if there is one.
void Opener::touch(Place& number, std::uint32_t at) {
    if (number.number & number.counted) {
        number.counted = 0;
        to_count_.push(at);
    }
}

// Settles what one number settles.
void Opener::count(std::uint32_t number) {
    Place& at = places_[number];
    at.counted = 1;
    if (at.room == 0) {
        return;
    }
    if (at.need == 0) {
        visit(number, [&](Place& near, std::uint32_t place) {
            if (near.unknown) await(near, place);
        });
    } else if (at.need == at.room) {
        visit(number, [&](const Place& near, std::uint32_t place) {
            if (near.unknown) lay_mine(place);
        });
    } else if (at.compared) {
        at.compared = 0;
        to_compare_.push(number);
    }
}

// Settles what a number settles together with one near it. If one needs so many mines more than the other as there
// are cells around it alone, these are mines, and what is around the other alone is safe.
void Opener::compare(std::uint32_t number) {
    Place& at = places_[number];
    at.compared = 1;
    if (at.room == 0) {
        return;
    }
    for (const Pair& pair : pairs_) {
        const Place& other = places_[number + pair.step];
        if (!other.number || other.room == 0) {
            continue;
        }
        int common = 0;
        for (std::uint32_t i = 0; i < pair.count; ++i) common += places_[number + pair.common[i]].unknown;
        const int alone = at.room - common, other_alone = other.room - common, more = at.need - other.need;
        if (common == 0 || alone + other_alone == 0) {
            continue;
        }
        if (more == alone) {
            part(number, number + pair.step);
        } else if (-more == other_alone) {
            part(number + pair.step, number);
        } else {
            continue;
        }
        touch(at, number);  // There may be more.
        return;
    }
}

// Settles what is around one of two numbers alone.
void Opener::part(std::uint32_t mines_of, std::uint32_t safe_of) {
    const auto is_around = [&](std::uint32_t place, std::uint32_t number) {
        const std::uint32_t away = place > number ? place - number : number - place;
        return away <= 1 || (away >= stride_ - 1 && away <= stride_ + 1);
    };
    visit(safe_of, [&](Place& near, std::uint32_t place) {
        if (near.unknown && !is_around(place, mines_of)) await(near, place);
    });
    visit(mines_of, [&](const Place& near, std::uint32_t place) {
        if (near.unknown && !is_around(place, safe_of)) lay_mine(place);
    });
}

}  // namespace sapper
