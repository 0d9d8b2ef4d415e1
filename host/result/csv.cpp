#include "host/result/csv.hpp"

#include "host/base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>
#include <string_view>

namespace tailback::result {
namespace {

/// Members whose own members are data, and no words of the layout: quantiles, names of jobs, of columns, of classes.
constexpr std::string_view maps[] = {"quantiles", "flow_quantiles", "slowdown_by",           "jobs",
                                     "columns",   "priorities",     "largest_where_optimal", "hops",
                                     "excess",    "findings",       "finding_pairs"};
/// Members whose members are sections.
constexpr std::string_view sections[] = {"metrics"};

template <class List>
bool is_among(List const& list, std::string const& name) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

bool is_link(Json const& json) {
    auto const named = [&](char const* end) { return json.contains(end) && !json.at(end).is_structured(); };
    return json.is_object() && named("from") && named("to");
}

bool is_end(std::string const& name) {
    return name.starts_with("from") || name == "to" || name.starts_with("to_port") || name == "to_guid";
}

bool has_ends_alone(Json const& link) {
    for (auto const& [name, value] : link.items())
        if (!is_end(name)) return false;
    return true;
}

/// Does any part of it have this?
template <class Predicate>
bool any_part(Json const& json, Predicate const& has) {
    return has(json) || (json.is_structured() &&
                         std::any_of(json.begin(), json.end(), [&](Json const& part) { return any_part(part, has); }));
}

bool is_bins(Json const& list) {
    return std::all_of(list.begin(), list.end(), [](Json const& bin) {
        return bin.is_object() && bin.size() > 1 && bin.back().is_number_unsigned() &&
               std::all_of(bin.begin(), bin.end(), [](Json const& part) { return part.is_number(); });
    });
}

std::string word_of(Json const& scalar) {
    if (scalar.is_string()) return scalar.get<std::string>();
    if (scalar.is_number_float()) return base::exact_text(scalar.get<double>());
    return json_text(scalar);
}

/// Does the first member of each item tell it from the others?
bool first_members_differ(Json const& list) {
    std::set<std::string> met;
    return std::all_of(list.begin(), list.end(), [&](Json const& item) {
        return !item.is_structured() || is_link(item) ||
               (!item.empty() && !item.front().is_structured() && met.insert(word_of(item.front())).second);
    });
}

std::string joined_by(char between, std::string const& path, std::string const& name) {
    return path.empty() ? name : name.empty() ? path : path + between + name;
}

class Rows {
public:
    Rows(std::ostream& out, Json const& report, std::vector<LongList> const& lists) : out_(out) {
        look_for_links(report);
        for (LongList const& list : lists)
            if (list.size > 0) look_for_links(list.item(0));
        out_ << "section,statistic,key,value" << (with_links_ ? ",from,from_port,to,to_port" : "")
             << (with_guids_ ? ",from_guid,to_guid\n" : "\n");
    }

    void write(std::string const& section, Json const& value) { add({section, "", "", nullptr}, value); }
    void write(std::string const& section, std::string const& statistic, Json const& value) {
        add({section, statistic, "", nullptr}, value);
    }
    void write_at(std::string const& section, std::string const& key, Json const& value) {
        add({section, "", key, nullptr}, value);
    }
    void write(LongList const& list) {
        if (list.size == 0 || !is_link(list.item(0))) return write(list.name, list.whole());
        for (std::size_t i = 0; i < list.size && out_; ++i) write_at(list.name, std::to_string(i), list.item(i));
    }

private:
    /// Where in the report a number stands.
    struct Place {
        std::string section, statistic, key;
        Json const* link;

        Place below(std::string const& name) const { return {section, joined_by('_', statistic, name), key, link}; }
        Place at(std::string const& item) const { return {section, statistic, joined_by('/', key, item), link}; }
    };

    void look_for_links(Json const& json) {
        with_links_ = with_links_ || any_part(json, is_link);
        with_guids_ =
            with_guids_ || any_part(json, [](Json const& part) { return is_link(part) && part.contains("from_guid"); });
    }

    void add(Place const& place, Json const& value) {
        if (value.is_object()) add_object(place, value);
        else if (value.is_array()) add_list(place, value);
        else if (value.is_string()) row(place.at(value.get<std::string>()), "");
        else if (value.is_boolean()) row(place, value.get<bool>() ? "1" : "0");
        else if (value.is_number_float() && !std::isfinite(value.get<double>())) return;
        else if (!value.is_null()) row(place, word_of(value));
    }
    void add_object(Place place, Json const& object) {
        bool const link = is_link(object);
        if (link) place.link = &object;
        if (link && has_ends_alone(object)) row(place, "");
        for (auto const& [name, inner] : object.items()) {
            if (link && is_end(name)) continue;
            if (!is_among(maps, name) || !inner.is_object()) add(place.below(name), inner);
            else
                for (auto const& [of, part] : inner.items()) add(place.below(name).at(of), part);
        }
    }
    void add_list(Place const& place, Json const& list) {
        bool const numbers =
            std::all_of(list.begin(), list.end(), [](Json const& item) { return item.is_number() || item.is_null(); });
        if (numbers && list.size() == 2) {
            add(place.below("low"), list.front());
            return add(place.below("high"), list.back());
        }
        bool const bins = is_bins(list), apart = first_members_differ(list);
        std::size_t number = 0;
        for (Json const& item : list) {
            bool const by_order = !apart || !item.is_structured() || is_link(item);
            if (item.is_string()) add(place, item);
            else if (by_order) add(place.at(std::to_string(number)), item);
            else add_item(place.at(word_of(item.front())), item, bins);
            ++number;
        }
    }
    /// Without its first member, which is its key.
    void add_item(Place const& place, Json const& item, bool is_bin) {
        std::size_t rest = item.size();
        for (auto const& [name, inner] : item.items()) {
            if (rest-- == item.size()) continue;
            if (item.is_array() || (is_bin && rest == 0)) add(place, inner);
            else if (is_among(maps, name) && inner.is_object())
                for (auto const& [of, part] : inner.items()) add(place.below(name).at(of), part);
            else add(place.below(name), inner);
        }
        if (item.size() == 1) row(place, "");
    }
    void row(Place const& place, std::string const& value) {
        out_ << base::csv_field(place.section) << ',' << place.statistic << ',' << base::csv_field(place.key) << ','
             << value;
        if (with_links_) {
            auto const end = [&](char const* name) {
                return place.link != nullptr && place.link->contains(name)
                           ? base::csv_field(word_of(place.link->at(name)))
                           : "";
            };
            auto const port = [&](std::string const& name) {
                std::string const given = end((name + "_name").c_str());
                return given.empty() ? end(name.c_str()) : given;
            };
            out_ << ',' << end("from") << ',' << port("from_port") << ',' << end("to") << ',' << port("to_port");
            if (with_guids_) out_ << ',' << end("from_guid") << ',' << end("to_guid");
        }
        out_ << '\n';
    }

    std::ostream& out_;
    bool with_links_ = false, with_guids_ = false;
};

}  // namespace

void write_csv(std::ostream& out, Json const& report, std::vector<LongList> const& lists) {
    Rows rows(out, report, lists);
    for (auto const& [name, value] : report.items()) {
        if (is_among(sections, name))
            for (auto const& [section, inner] : value.items()) rows.write(section, inner);
        else if (!value.is_structured()) rows.write("report", name, value);
        else if (is_among(maps, name) && value.is_object())
            for (auto const& [of, part] : value.items()) rows.write_at(name, of, part);
        else rows.write(name, value);
    }
    for (LongList const& list : lists) rows.write(list);
}

CsvTable::CsvTable(std::ostream& out, std::vector<std::string> columns) : out_(out), columns_(std::move(columns)) {
    row(std::vector<Json>(columns_.begin(), columns_.end()));
}

void CsvTable::row(std::vector<Json> const& cells) {
    char const* before = "";
    for (Json const& cell : cells) {
        out_ << before << (cell.is_null() ? "" : base::csv_field(word_of(cell)));
        before = ",";
    }
    out_ << '\n';
}

void CsvTable::item(Json const& object) {
    std::vector<Json> cells;
    for (std::string const& column : columns_) {
        auto at = object.find(column + "_name");
        if (at == object.end()) at = object.find(column);
        cells.push_back(at == object.end() ? Json(nullptr) : *at);
    }
    row(cells);
}

}  // namespace tailback::result
