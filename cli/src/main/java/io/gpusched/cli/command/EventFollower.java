package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.CellText;
import io.gpusched.cli.rest.ApiPath;
import io.gpusched.cli.rest.EventConnection;
import io.gpusched.cli.rest.RequestRefused;
import io.gpusched.cli.rest.ServerEvent;
import io.gpusched.cli.rest.Unreachable;

import java.time.Duration;

/// Prints live events until it is interrupted or standard output is closed. If the connection
/// breaks, for example because the server restarts, it connects again and continues after the last
/// event, so that no event is missed or printed twice. It ends if the server revokes its token.
final class EventFollower {
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final CliSession cliSession;
    private final ApiPath events;
    private String last = "";
    private Duration pause = SHORTEST_PAUSE;
    private boolean isAway;

    EventFollower(CliSession cliSession, ApiPath events) {
        this.cliSession = cliSession;
        this.events = events;
    }

    int run() {
        do {
            try {
                if (!follow()) {
                    return 1;
                }
                if (!cliSession.printer().isClosed()) {
                    away("the server ended the stream");
                }
            } catch (RequestRefused no) {
                if (!no.isTemporary()) {
                    throw no;
                }
                away(no.sentence());
            } catch (Unreachable broken) {
                if (last.isEmpty() && !isAway) {
                    throw broken;
                }
                away("the connection broke");
            }
        } while (!cliSession.printer().isClosed() && paused());
        return 0;
    }

    /// Prints events until the stream ends; false if connecting again is of no use.
    private boolean follow() {
        EventConnection stream = cliSession.rest().events(events, last);
        if (stream == null) {
            cliSession
                    .printer()
                    .remark(
                            "gpu-cli: this server has no live events; leave out --follow, or"
                                    + " upgrade the server");
            return false;
        }
        try (stream) {
            for (ServerEvent event = stream.next();
                    event != null && !cliSession.printer().isClosed();
                    event = stream.next()) {
                connected(event);
                show(event);
                if (isRevoked(event)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isRevoked(ServerEvent event) {
        return event.kind().equals("closed") && event.data().at("code").text().equals("revoked");
    }

    private void connected(ServerEvent event) {
        if (isAway) {
            isAway = false;
            cliSession.printer().remark("gpu-cli: connected again");
        }
        pause = SHORTEST_PAUSE;
        last = event.id().isEmpty() ? last : event.id();
    }

    private void show(ServerEvent event) {
        Json data = event.data();
        switch (event.kind()) {
            case "" -> {}
            case "resync" ->
                    cliSession
                            .printer()
                            .remark("gpu-cli: events were missed: " + data.at("reason").text());
            case "closed" -> cliSession.printer().remark("gpu-cli: " + data.at("reason").text());
            default -> cliSession.printer().item(data, event.id(), () -> line(data));
        }
    }

    private static String line(Json event) {
        return "%s  %-15s  %-12s  %s"
                .formatted(
                        CellText.time(event.at("at")),
                        event.at("kind").text(),
                        EventsCommand.about(event),
                        event.at("message").text());
    }

    private void away(String why) {
        if (!isAway) {
            cliSession
                    .printer()
                    .remark(
                            "gpu-cli: %s; connecting again%s"
                                    .formatted(
                                            why,
                                            last.isEmpty() ? "" : " to continue after " + last));
        }
        isAway = true;
    }

    private boolean paused() {
        boolean goesOn = cliSession.pollingClock().pause(pause);
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        return goesOn;
    }
}
