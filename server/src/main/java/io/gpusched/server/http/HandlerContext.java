package io.gpusched.server.http;

import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.cell.Follower;
import io.gpusched.server.view.CallerTexts;
import io.gpusched.server.view.PastJobs;
import io.gpusched.server.view.View;

import java.time.InstantSource;
import java.util.function.Supplier;

/// What most request handlers need: the published views, the way to send commands, and readers of
/// request bodies.
public final class HandlerContext {
    final Follower follower;
    final PastJobs pastJobs;
    final InstantSource clock;
    final Supplier<View> views;
    final Lookups lookups;
    final CallerTexts callerTexts;
    final CommandSender sender;
    final RequestBodies bodies;

    /// @param maxRequestBytes largest body of a request
    public HandlerContext(
            CommandGateway gateway,
            Follower follower,
            PastJobs pastJobs,
            int maxRequestBytes,
            InstantSource clock) {
        this.follower = follower;
        this.pastJobs = pastJobs;
        this.clock = clock;
        this.views = follower::view;
        this.lookups = new Lookups(views, pastJobs);
        this.callerTexts = new CallerTexts(views, pastJobs);
        this.sender = new CommandSender(gateway);
        this.bodies = new RequestBodies(maxRequestBytes);
    }
}
