package io.gpusched.cli.command;

import io.gpusched.cli.rest.Refused;
import io.gpusched.cli.rest.Unreachable;

import java.time.Duration;

/// Shows a picture again and again, until we are interrupted or nobody looks any more. A server
/// that goes away meanwhile is remarked upon and waited for.
final class Repeat {
    private Repeat() {}

    static int every(Duration interval, Session session, Runnable show) {
        while (!session.printer().isClosed() && session.pace().pause(interval)) {
            session.printer().nextPicture();
            try {
                show.run();
            } catch (Unreachable | Refused away) {
                if (away instanceof Refused no && !no.passes()) {
                    throw away;
                }
                session.printer().remark("gpu-cli: " + away.getMessage());
            }
        }
        return 0;
    }
}
