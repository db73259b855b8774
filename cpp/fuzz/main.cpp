// Runs the fuzz target without libFuzzer: first the corpus, then mutations of it until the time is up.
//
//   fuzz_engine PATH... [--seconds N] [--seed S]
//
// A path is a file or a directory. A child process does the work and stores each input in shared memory before running
// it. However the child dies, the parent has the input, and writes it to the file crash-HASH.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Clock = std::chrono::steady_clock;
using Input = std::vector<std::uint8_t>;

constexpr std::size_t largest_input = 8192;
constexpr std::uint32_t head = 5;                     // bytes before the cells: height, width, mines (two), flags
constexpr std::chrono::seconds input_time_limit{60};  // time limit for one input

struct Shared {
    std::atomic<std::uint64_t> executions;
    std::size_t size;
    std::uint8_t bytes[largest_input];
};

struct Options {
    std::vector<std::filesystem::path> paths;
    double seconds = 0;
    std::uint64_t seed = std::random_device{}();
};

Options read_options(std::span<char*> arguments) {
    Options options;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        const std::string argument = arguments[i];
        if (argument == "--seconds" && i + 1 < arguments.size()) {
            options.seconds = std::stod(arguments[++i]);
        } else if (argument == "--seed" && i + 1 < arguments.size()) {
            options.seed = std::stoull(arguments[++i]);
        } else {
            options.paths.emplace_back(argument);
        }
    }
    return options;
}

// Returns the contents of the files, the smallest first.
std::vector<Input> read_corpus(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::filesystem::path> files;
    for (const auto& path : paths) {
        if (std::filesystem::is_directory(path)) {
            for (const auto& entry : std::filesystem::directory_iterator{path}) files.push_back(entry);
        } else {
            files.push_back(path);
        }
    }
    std::sort(files.begin(), files.end());  // So that a seed gives the same run on every machine.
    std::vector<Input> corpus;
    for (const auto& file : files) {
        std::ifstream stream{file, std::ios::binary};
        if (!stream) {
            std::fprintf(stderr, "cannot read %s\n", file.c_str());
            std::exit(2);
        }
        Input input{std::istreambuf_iterator<char>{stream}, {}};
        input.resize(std::min(input.size(), largest_input));
        corpus.push_back(std::move(input));
    }
    std::stable_sort(corpus.begin(), corpus.end(), [](const Input& a, const Input& b) { return a.size() < b.size(); });
    return corpus;
}

// Applies one random mutation.
void mutate(Input& input, const std::vector<Input>& corpus, sapper::Random& random) {
    const auto below = [&](std::size_t limit) { return random.below(static_cast<std::uint32_t>(limit)); };
    const auto any_byte = [&] { return static_cast<std::uint8_t>(below(256)); };
    input.resize(std::max<std::size_t>(input.size(), head + 1));
    const std::uint32_t from = below(input.size());
    const std::uint32_t length = 1 + below(std::min<std::size_t>(input.size() - from, 32));
    const auto begin = input.begin() + from, end = begin + length;
    switch (below(8)) {
        case 0:  // Flip one bit.
            *begin = static_cast<std::uint8_t>(*begin ^ 1u << below(8));
            break;
        case 1:  // Change one cell.
            input[head + below(input.size() - head)] = static_cast<std::uint8_t>(below(12));
            break;
        case 2: {  // Change height, width, mines or flags, often by a little.
            std::uint8_t& byte = input[below(head)];
            byte = static_cast<std::uint8_t>(below(2) ? byte + below(5) - 2 : any_byte());
            break;
        }
        case 3:  // Set a run of cells to one code. Hiding cells keeps a possible position possible.
            std::fill(begin, end, static_cast<std::uint8_t>(below(2) ? 9 : below(12)));
            break;
        case 4:
            input.erase(begin, end);
            break;
        case 5: {
            Input more(length);
            std::generate(more.begin(), more.end(), [&] { return static_cast<std::uint8_t>(below(12)); });
            input.insert(begin, more.begin(), more.end());
            break;
        }
        case 6: {  // Copy a block to another place.
            const Input block(begin, end);
            std::copy(block.begin(), block.end(), input.begin() + below(input.size() - length + 1));
            break;
        }
        case 7: {  // Append the end of another input.
            const Input& other = corpus[below(corpus.size())];
            if (from < other.size()) {
                input.erase(begin, input.end());
                input.insert(input.end(), other.begin() + from, other.end());
            }
            break;
        }
    }
    input.resize(std::min(input.size(), largest_input));
}

void run(const Input& input, Shared& shared) {
    std::copy(input.begin(), input.end(), shared.bytes);
    shared.size = input.size();
    ++shared.executions;
    // A copy of exactly the right size, so that the sanitizer detects reads beyond it.
    LLVMFuzzerTestOneInput(Input(input).data(), input.size());
}

void run_all(const std::vector<Input>& corpus, const Options& options, Shared& shared) {
    const auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
    for (const Input& input : corpus) run(input, shared);
    sapper::Random random{options.seed};
    const auto size = static_cast<std::uint32_t>(corpus.size());
    while (Clock::now() < end) {
        // Prefer small inputs: they take less time.
        Input input = corpus[std::min(random.below(size), random.below(size))];
        for (std::uint32_t changes = 1 + random.below(8); changes > 0; --changes) {
            mutate(input, corpus, random);
        }
        run(input, shared);
    }
}

// Returns whether the child finished: it did not die, and no input took too long.
bool watch(pid_t child, const Shared& shared) {
    auto since = Clock::now();
    std::uint64_t seen = 0;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (shared.executions != seen) {
            seen = shared.executions;
            since = Clock::now();
        } else if (Clock::now() - since > input_time_limit) {
            std::fprintf(stderr, "the input took longer than %lld seconds\n",
                         static_cast<long long>(input_time_limit.count()));
            kill(child, SIGKILL);
            since = Clock::now();
        }
        usleep(20'000);
    }
    return status == 0;
}

std::string write_crash(const Shared& shared) {
    std::uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (std::size_t i = 0; i < shared.size; ++i) hash = (hash ^ shared.bytes[i]) * 0x100000001B3;
    char name[32];
    std::snprintf(name, sizeof name, "crash-%016llx", static_cast<unsigned long long>(hash));
    std::ofstream{name, std::ios::binary}.write(reinterpret_cast<const char*>(shared.bytes),
                                                static_cast<std::streamsize>(shared.size));
    return std::filesystem::absolute(name).string();
}

}  // namespace

int main(int count, char** arguments) {
    const Options options = read_options({arguments, static_cast<std::size_t>(count)});
    const std::vector<Input> corpus = read_corpus(options.paths);
    if (corpus.empty()) {
        std::fprintf(stderr, "usage: fuzz_engine PATH... [--seconds N] [--seed S]\n");
        return 2;
    }
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        std::perror("cannot allocate shared memory");
        return 2;
    }
    Shared& shared = *new (memory) Shared{};
    std::printf("%zu inputs, seed %llu\n", corpus.size(), static_cast<unsigned long long>(options.seed));
    std::fflush(stdout);
    const auto start = Clock::now();
    const pid_t child = fork();
    if (child == 0) {
        run_all(corpus, options, shared);
        return 0;
    }
    const bool passed = child > 0 && watch(child, shared);
    const std::chrono::duration<double> taken = Clock::now() - start;
    const auto executions = static_cast<double>(shared.executions);
    std::printf("%.0f executions in %.1f s: %.0f per second\n", executions, taken.count(), executions / taken.count());
    if (!passed) {
        std::printf("FAILED; the input is in %s\n", write_crash(shared).c_str());
    }
    return passed ? 0 : 1;
}
