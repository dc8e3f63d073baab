#include "ui/document/Document.h"

#include "ui/document/SessionReplay.h"

namespace driftless::ui {

Document::Document(QObject* parent)
    : QObject(parent), messages_([this] { return bench_.hasModel() ? bench_.laboratory().clock().t : 0.0; },
                                 [this] { return bench_.hasModel() ? bench_.bench().document() : 0; })
{
    connect(&bench_, &OpenBench::benchChanged, this, [this] { lookBack_.forget(); });
    connect(&bench_, &OpenBench::benchChanged, this, &Document::benchChanged);
    connect(&bench_, &OpenBench::branched, this, &Document::branched);
    connect(&bench_, &OpenBench::rewound, this, [this] { lookBack_.forget(); });
    connect(&bench_, &OpenBench::runsChanged, this, &Document::runsChanged);
    connect(&bench_, &OpenBench::settingsChanged, this, &Document::settingsChanged);
    connect(&bench_, &OpenBench::parametersChanged, this, &Document::parametersChanged);
    connect(&playback_, &Playback::playingChanged, this, &Document::playingChanged);
    connect(&messages_, &MessageLog::refused, this, &Document::refused);
    connect(&messages_, &MessageLog::changed, this, &Document::messagesChanged);
    connect(&history_, &History::changed, this, &Document::titleChanged);
    connect(&files_, &DocumentFiles::replaying, this, &Document::replaying);
}

} // namespace driftless::ui
