package io.gpusched.cli.command;

import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Unreachable;

import java.time.Duration;

/// Shows a picture again and again, until we are interrupted or nobody looks any more. A server
/// that goes away meanwhile is remarked upon and waited for.
final class WatchLoop {
    private WatchLoop() {}

    static int every(Duration interval, CliSession cliSession, Runnable show) {
        while (!cliSession.printer().isClosed() && cliSession.pollingClock().pause(interval)) {
            cliSession.printer().nextPicture();
            try {
                show.run();
            } catch (Unreachable | RequestRefused away) {
                if (away instanceof RequestRefused no && !no.passes()) {
                    throw away;
                }
                cliSession.printer().remark("gpu-cli: " + away.getMessage());
            }
        }
        return 0;
    }
}
