// The manual page and what shells complete, made from the definitions of the command line themselves.
#pragma once

namespace CLI {
class App;
}

namespace driftless::app {

/// `driftless manual FORMAT`, which help does not list: packages are made with it. FORMAT is man, bash, zsh or fish.
void addManualCommand(CLI::App& root, int& exitCode);

} // namespace driftless::app
