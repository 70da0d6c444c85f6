package io.gpusched.core.engine;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;

import java.time.Instant;

/// What the cell would answer to commands about pools, without running them.
public final class PoolPreview {
    private PoolPreview() {}

    public static Answer of(Engine engine, Command.Apply command, Instant now) {
        return new PoolCommandHandler(engine.state(), engine.settings(), now)
                .under(engine.policy().scorers())
                .to(command);
    }
}
