package io.gpusched.cli.command;

import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Unreachable;

import java.time.Duration;

/// Repeats an output until it is interrupted or standard output is closed. If the server is
/// unreachable meanwhile, it prints a remark and retries.
final class WatchLoop {
    private WatchLoop() {}

    static int every(Duration interval, CliSession cliSession, Runnable show) {
        while (!cliSession.printer().isClosed() && cliSession.pollingClock().pause(interval)) {
            cliSession.printer().nextScreen();
            try {
                show.run();
            } catch (Unreachable | RequestRefused away) {
                if (away instanceof RequestRefused no && !no.isTemporary()) {
                    throw away;
                }
                cliSession.printer().remark("gpu-cli: " + away.getMessage());
            }
        }
        return 0;
    }
}
