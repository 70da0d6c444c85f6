package io.gpusched.server;

import io.gpusched.server.alert.Alert;
import io.gpusched.server.alert.AlertListener;
import io.gpusched.server.alert.AlertSubject;
import io.gpusched.server.live.AlertNews;
import io.gpusched.server.live.EventFeed;

import java.time.InstantSource;

/// Makes alerts that fire or are resolved live events.
record AlertEvents(EventFeed events, InstantSource clock) implements AlertListener {
    @Override
    public void changed(Alert alert) {
        AlertSubject subject = alert.subject();
        events.publish(
                new AlertNews(
                        clock.instant(),
                        !alert.isFiring(),
                        subject.job(),
                        subject.tenant(),
                        subject.node(),
                        alert.finding().message()));
    }
}
