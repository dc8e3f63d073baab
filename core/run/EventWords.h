// The words for what happens in a run: the only place where its events become sentences. Whoever shows an event asks for
// them; whoever decides by an event reads its fields (Event.h).
#pragma once

#include <string>

#include "core/run/Event.h"

namespace driftless::run {

/// One sentence without a stop: "dummies bob.x -> bob.y (kappa 2.1 -> 1.1)".
std::string words(const EventDetail& detail);
std::string words(const Event& event);
/// A word or two for where there is little room: "L = 2", "pivot x -> y", "stopped". Empty where the event is a start.
std::string label(const EventDetail& detail);

/// While one exists all events are said as "X". For tests: nothing but what people read may depend on the words.
class WordsReplaced {
public:
    WordsReplaced();
    ~WordsReplaced();
    WordsReplaced(const WordsReplaced&) = delete;
    WordsReplaced& operator=(const WordsReplaced&) = delete;
};

} // namespace driftless::run
