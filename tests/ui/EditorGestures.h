// Random gestures on a mechanism, through the class that edits mechanisms: after each of them the text is a model, it is the
// one that is shown, and undo and redo lead to the bytes that were there.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/reduction/Reduced.h"
#include "tests/support/Draw.h"
#include "ui/document/Document.h"
#include "ui/document/MechanismEditor.h"

namespace driftless::ui::test {

using driftless::test::Draw;

struct Gesture {
    int kind = 0;
    std::uint64_t seed = 0; ///< of what it draws
};
struct GestureCase {
    std::uint64_t seed = 0;
    std::vector<Gesture> gestures;
};

inline constexpr int kGestureKinds = 21;

inline GestureCase drawGestures(std::uint64_t seed)
{
    Draw draw(seed);
    GestureCase out{seed, {}};
    for (int k = draw.upTo(2, 4); k > 0; --k)
        out.gestures.push_back({draw.upTo(0, 3), draw.bits()}); // some bodies to begin with
    for (int k = draw.upTo(10, 25); k > 0; --k)
        out.gestures.push_back({draw.upTo(0, kGestureKinds - 1), draw.bits()});
    return out;
}

inline std::vector<GestureCase> smallerGestures(const GestureCase& c)
{
    std::vector<GestureCase> out;
    for (std::size_t length = c.gestures.size() / 2; length > 0; length /= 2)
        for (std::size_t from = 0; from + length <= c.gestures.size(); from += length) {
            out.push_back(c);
            const auto first = out.back().gestures.begin() + static_cast<std::ptrdiff_t>(from);
            out.back().gestures.erase(first, first + static_cast<std::ptrdiff_t>(length));
        }
    return out;
}

class GestureDriver {
public:
    GestureDriver()
    {
        if (const auto made = document_.opener().newMechanism(); !made)
            told += made.error().text();
        editor_.setActive(true);
        document_.undoStack().clear();
        texts_ = {text()};
    }

    std::string told;                   ///< what was done
    std::map<std::string, int> carried; ///< how often a kind of gesture changed something

    /// Empty where all is right.
    std::string judge(const GestureCase& c)
    {
        if (std::string fault = compare(); !fault.empty())
            return "at the beginning: " + fault;
        for (const Gesture& gesture : c.gestures) {
            Draw draw(gesture.seed);
            const std::string before = text();
            const int index = document_.undoStack().index();
            std::string what;
            const bool done = carryOut(gesture.kind, draw, what);
            told += what + (done ? "" : " (refused)") + '\n';
            if (std::string fault = judgeStep(what, done, before, index); !fault.empty())
                return what + ": " + fault;
        }
        return throughTheStack();
    }

private:
    std::string text() const { return document_.bench().modelText().toStdString(); }

    std::string judgeStep(const std::string& what, bool done, const std::string& before, int index)
    {
        const int now = document_.undoStack().index();
        if (what == "undo" || what == "redo") {
            if (text() != texts_.at(static_cast<std::size_t>(now)))
                return "leads to another text than the one that was there";
        } else {
            if (!done && (text() != before || now != index))
                return "was refused and changed something";
            if (now != index && now != index + 1)
                return "is not one entry";
            if (now == index && text() != before)
                return "changed the text without an entry";
            if (now == index + 1) {
                texts_.resize(static_cast<std::size_t>(now));
                texts_.push_back(text());
                ++carried[what.substr(0, what.find(' '))];
            }
        }
        return compare();
    }

    /// The text is a model, and the picture is that of its text.
    std::string compare()
    {
        const auto read = reduction::readModel(text(), "drawn.toml");
        if (!read)
            return "the text is no model: " + read.error().text();
        if (document_.compiled().model().text != text())
            return "the model is not that of the text";
        Document fresh; // by an edit, because a start that contradicts itself may be edited and not opened
        if (const auto made = fresh.opener().newMechanism(); !made)
            return made.error().text();
        if (const auto edited = fresh.edits().editText(document_.bench().modelText(), QStringLiteral("all of it")); !edited)
            return "the text cannot be taken over: " + edited.error().text();
        MechanismEditor other(fresh);
        other.setActive(true);
        const EditGeometry &here = editor_.mechanism().geometry(), &there = other.mechanism().geometry();
        if (here.bodies.size() != there.bodies.size() || here.links.size() != there.links.size())
            return "the picture has other parts than the text";
        for (std::size_t k = 0; k < here.bodies.size(); ++k)
            if (const std::string fault = difference(here.bodies[k], there.bodies[k]); !fault.empty())
                return "body " + here.bodies[k].name + ": " + fault;
        for (std::size_t k = 0; k < here.links.size(); ++k)
            if (here.links[k].kind != there.links[k].kind || here.links[k].place.name != there.links[k].place.name)
                return "a joint or force is shown as another one";
        if (editor_.mechanism().status().problem.has_value() != other.mechanism().status().problem.has_value())
            return "a problem is shown that the text does not have, or the other way round";
        if (editor_.mechanism().status().freedom != other.mechanism().status().freedom)
            return "degrees of freedom are shown as " + std::to_string(editor_.mechanism().status().freedom) + " and not "
                   + std::to_string(other.mechanism().status().freedom);
        return {};
    }
    /// The same numbers take the same way through the same code: no tolerance.
    static std::string difference(const EditBody& a, const EditBody& b)
    {
        if (a.name != b.name || a.rigid != b.rigid || a.shape != b.shape)
            return "shown as " + b.name;
        if (a.centre != b.centre || a.angle != b.angle)
            return "shown at another place";
        if (a.radius != b.radius || a.size != b.size || a.ends[0] != b.ends[0] || a.ends[1] != b.ends[1])
            return "shown with another shape";
        return {};
    }

    std::string throughTheStack()
    {
        QUndoStack& stack = document_.undoStack();
        while (stack.canRedo())
            stack.redo();
        const std::string last = text();
        if (last != texts_.back())
            return "redo to the end leads to another text";
        while (stack.canUndo()) {
            stack.undo();
            if (text() != texts_.at(static_cast<std::size_t>(stack.index())))
                return "undo to entry " + std::to_string(stack.index()) + " leads to another text";
        }
        if (text() != texts_.front())
            return "undo of everything leads to another text";
        if (std::string fault = compare(); !fault.empty())
            return "after undo of everything: " + fault;
        while (stack.canRedo())
            stack.redo();
        if (text() != last)
            return "redo of everything leads to another text";
        if (std::string fault = compare(); !fault.empty())
            return "after redo of everything: " + fault;
        return {};
    }

    // --- what is drawn ---
    static QPointF point(Draw& draw) { return {0.1 * draw.upTo(-15, 15), 0.1 * draw.upTo(-15, 15)}; }
    std::string anyBody(Draw& draw) const
    {
        return editor_.mechanism().geometry().bodies.empty() ? "ground"
                                                             : draw.among(editor_.mechanism().geometry().bodies).name;
    }
    std::string anyId(Draw& draw) const
    {
        const auto* text = editor_.mechanism().text();
        return !text || text->places().empty() ? "nothing" : EditedMechanism::idOf(draw.among(text->places()));
    }
    EditEnd end(Draw& draw) const
    {
        const auto spots = editor_.mechanism().geometry().spots();
        return spots.empty() || draw.chance(0.3) ? EditEnd{"ground", point(draw)} : draw.among(spots).end;
    }

    bool carryOut(int kind, Draw& draw, std::string& what)
    {
        switch (kind) {
        case 0:
            what = "point";
            return editor_.builder().addPoint(point(draw));
        case 1:
            what = "bar";
            return editor_.builder().addBar(point(draw), point(draw));
        case 2:
            what = "disc";
            return editor_.builder().addDisc(point(draw), point(draw));
        case 3:
            what = "block";
            return editor_.builder().addBlock(point(draw), point(draw));
        case 4:
        case 5: {
            const bool weld = draw.chance(0.2);
            const auto spots = editor_.mechanism().geometry().spots();
            const QPointF place = spots.empty() ? point(draw) : draw.among(spots).at;
            what = weld ? "weld" : "pin";
            return editor_.builder().joinAt(what, place, 0.05);
        }
        case 6:
            what = "joint";
            return editor_.builder().addJoint(draw.chance(0.8) ? "pin" : "weld", end(draw), end(draw));
        case 7:
            what = "rod";
            return editor_.builder().addRod(end(draw), end(draw));
        case 8:
            what = "spring";
            return editor_.builder().addSpring(end(draw), end(draw));
        case 9:
            what = "rail";
            return editor_.builder().addRail(end(draw), point(draw));
        case 10: {
            const std::string id = anyId(draw);
            what = "remove " + id;
            return editor_.builder().remove({id});
        }
        case 11: {
            editor_.selection().select({anyBody(draw), anyBody(draw)});
            what = "duplicate";
            return editor_.builder().duplicate(0.1);
        }
        case 12: {
            editor_.selection().select({anyBody(draw), anyBody(draw), anyId(draw)});
            what = "paste";
            return editor_.builder().paste(editor_.builder().copied(), 0.1 * draw.upTo(-3, 3));
        }
        case 13: {
            const std::vector<const char*> names{"a",  "bar1",  "ground", "x y",   "",  "\xc3\xa4", "t",
                                                 "pi", "part7", "m.x",    "mass1", "x", "angle"};
            const std::string id = anyId(draw), to = draw.among(names);
            what = "rename " + id + " to '" + to + "'";
            return editor_.builder().rename(id, QString::fromStdString(to));
        }
        case 14: {
            const std::vector<const char*> paths{"mass",   "inertia",   "x",       "y.start",    "angle",
                                                 "length", "stiffness", "from.at", "to.at",      "acceleration",
                                                 "kind",   "name",      "shape",   "x.velocity", "from"};
            const std::vector<const char*> values{"2.5",     "-1", "0",    "1e400", "\"x +\"", "[0.1, 0.2]", "\"bar1\"",     "",
                                                  "\"2*3\"", "{",  "true", "nan",   "\"pin\"", "1 # why",    "\"\"\"1\"\"\""};
            const std::string id = anyId(draw), path = draw.among(paths), value = draw.among(values);
            what = "field " + id + '.' + path + " = " + value;
            return editor_.builder().setField(id, path, QString::fromStdString(value));
        }
        case 15:
            return pull(draw, what);
        case 16: {
            const std::string body = anyBody(draw);
            what = "end " + body;
            return editor_.handles().moveEnd(body, draw.upTo(0, 1), point(draw));
        }
        case 17: {
            const std::string id = anyId(draw);
            const std::vector<const char*> paths{"mass", "stiffness", "length"};
            if (draw.chance(0.3)) {
                what = "radius " + id;
                return editor_.handles().setRadius(id, draw.decimal(0.05, 1));
            }
            const auto quantity = editor_.handles().quantity(id, draw.among(paths));
            what = "quantity " + id;
            return quantity && editor_.handles().canSet(*quantity)
                   && editor_.handles().setQuantity(*quantity, std::max(quantity->least, draw.decimal(0.1, 5)));
        }
        case 18:
            return addOfModes(draw, what);
        case 19:
            what = "undo";
            document_.undoStack().undo();
            return true;
        default:
            what = "redo";
            document_.undoStack().redo();
            return true;
        }
    }
    bool addOfModes(Draw& draw, std::string& what)
    {
        static const std::vector<const char*> names{"damper", "string", "wall", "stop", "motor", "clutch", "ratchet"};
        what = draw.among(names);
        MechanismBuilder& builder = editor_.builder();
        if (what == "damper")
            return builder.addDamper(end(draw), end(draw));
        if (what == "string")
            return builder.addString(end(draw), end(draw));
        if (what == "wall")
            return builder.addWall(end(draw), point(draw));
        if (what == "clutch")
            return builder.addClutch(end(draw), end(draw));
        if (what == "ratchet")
            return builder.addRatchet(anyId(draw));
        return what == "stop" ? builder.addStop(anyId(draw)) : builder.addMotor(anyId(draw));
    }
    bool pull(Draw& draw, std::string& what)
    {
        const std::string body = anyBody(draw);
        const int way = draw.upTo(0, 2);
        const char* const ways[] = {"pull ", "move ", "turn "};
        what = ways[way] + body;
        const auto* found = editor_.mechanism().geometry().body(body);
        if (!found)
            return false;
        const QPointF local = found->ends[1];
        const auto begin = [&] {
            if (way == 0)
                return editor_.pull().beginPull(body, local);
            return way == 1 ? editor_.pull().beginMove({body}) : editor_.pull().beginTurn(body);
        };
        if (!begin())
            return false;
        for (int k = draw.upTo(0, 3); k > 0; --k)
            if (way == 0)
                editor_.pull().pullTo(point(draw));
            else if (way == 1)
                editor_.pull().moveBy(point(draw));
            else
                editor_.pull().turnTo(draw.decimal(-3, 3));
        if (draw.chance(0.2)) {
            editor_.pull().cancelPull();
            what += ", given up";
            return false;
        }
        return editor_.pull().endPull();
    }

    Document document_;
    MechanismEditor editor_{document_};
    std::vector<std::string> texts_; ///< by entries of the undo stack
};

/// count cases from a seed; what is wrong with the first that fails, made shorter.
inline std::string walkGestures(std::uint64_t seed, int count, std::map<std::string, int>& carried)
{
    for (int k = 0; k < count; ++k) {
        const GestureCase drawn = drawGestures(seed + static_cast<std::uint64_t>(k));
        GestureDriver driver;
        const std::string fault = driver.judge(drawn);
        for (const auto& [what, times] : driver.carried)
            carried[what] += times;
        if (fault.empty())
            continue;
        const GestureCase least = driftless::test::shrunk(
            drawn, smallerGestures, [](const GestureCase& c) { return !GestureDriver().judge(c).empty(); }, 120);
        GestureDriver again;
        const std::string smallest = again.judge(least);
        return "DRIFTLESS_SEED=" + std::to_string(drawn.seed) + " DRIFTLESS_COUNT=1: " + fault + "\nsmallest: " + smallest
               + "\n" + again.told;
    }
    return {};
}

} // namespace driftless::ui::test
