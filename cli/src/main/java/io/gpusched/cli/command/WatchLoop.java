package io.gpusched.cli.command;

import io.gpusched.cli.rest.ApiPath;
import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.Unreachable;

import java.time.Duration;

/// Repeats an output until it is interrupted or standard output is closed. If the server is
/// unreachable meanwhile, it prints a remark and retries.
final class WatchLoop {
    private static final Duration MOST_QUIET = Duration.ofSeconds(30);

    private WatchLoop() {}

    /// Repeats an output when live events of `events` say that something happened, at most once per
    /// `gap`, and from time to time in any case, because ages grow. If the server has no live
    /// events or they break off, repeats it every `interval`.
    static int live(
            CliSession cliSession, ApiPath events, Duration gap, Duration interval, Runnable show) {
        try (var news = new NewsWatch(cliSession.rest(), events)) {
            long shownAt = cliSession.pollingClock().nanos();
            while (!cliSession.printer().isClosed()) {
                boolean isLive = news.isLive();
                if (!cliSession.pollingClock().pause(isLive ? gap : interval)) {
                    return 0;
                }
                long quiet = cliSession.pollingClock().nanos() - shownAt;
                if (!isLive || news.take() || quiet >= MOST_QUIET.toNanos()) {
                    shownAt = cliSession.pollingClock().nanos();
                    again(cliSession, show);
                }
            }
            return 0;
        }
    }

    static int every(Duration interval, CliSession cliSession, Runnable show) {
        while (!cliSession.printer().isClosed() && cliSession.pollingClock().pause(interval)) {
            again(cliSession, show);
        }
        return 0;
    }

    private static void again(CliSession cliSession, Runnable show) {
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
}
