#include "host/result/next_step.hpp"

namespace tailback::result {
namespace {

std::string command_line(NextStep const& step) { return "tailback " + shell_line(step.command); }

}  // namespace

std::vector<std::string> OtherCommands::with(std::string_view command, std::vector<std::string> const& more) const {
    auto const at = words.find(command);
    if (at == words.end()) return {};
    std::vector<std::string> line = {at->first};
    line.insert(line.end(), at->second.begin(), at->second.end());
    line.insert(line.end(), more.begin(), more.end());
    return line;
}

std::vector<std::string> OtherCommands::better_tables() const {
    return with("improve",
                tables_apart ? std::vector<std::string>{"--output", "better.lfts"} : std::vector<std::string>{});
}

std::string shell_line(std::vector<std::string> const& words) {
    constexpr char const* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./@%";
    std::string line;
    for (std::string const& word : words) {
        if (!line.empty()) line += ' ';
        if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (char const c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

std::string line_of(NextStep const& step) {
    return step.command.empty() ? step.what : step.what + ": " + command_line(step);
}

void add_next_steps(Document& document, std::vector<NextStep> const& steps) {
    if (steps.empty()) return;
    document.heading("What to do next");
    for (NextStep const& step : steps) {
        document.sentence(step.what + (step.command.empty() ? "." : ":"), 2);
        if (!step.command.empty()) document.line(command_line(step), 4);
    }
}

Json next_steps_json(std::vector<NextStep> const& steps) {
    Json json = Json::array();
    for (NextStep const& step : steps)
        json.push_back(
            {{"what", step.what}, {"command", step.command.empty() ? Json(nullptr) : Json(command_line(step))}});
    return json;
}

}  // namespace tailback::result
