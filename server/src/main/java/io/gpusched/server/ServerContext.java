package io.gpusched.server;

import io.gpusched.server.cell.CellClock;
import io.gpusched.server.cell.CommandGateway;
import io.gpusched.server.cell.Liveness;
import io.gpusched.server.config.Config;

import java.util.function.Consumer;

/// What the parts of one server share. Nothing here depends on another part.
///
/// @param engineConfig the policy and engine settings that follow from the configuration
/// @param clock the time that the cell decides by
/// @param liveness collects what is wrong; a part that can no longer work calls
///        [Liveness#died]
/// @param gateway where commands and reports enter the cell; inputs wait in it until the cell's
///        thread has started
record ServerContext(
        Config config,
        EngineConfig engineConfig,
        CellClock clock,
        Liveness liveness,
        CommandGateway gateway,
        ShutdownOrder shutdown) {
    static ServerContext of(Config config, EngineConfig engineConfig, Consumer<Throwable> onDeath) {
        return new ServerContext(
                config,
                engineConfig,
                CellClock.ofMachine(),
                new Liveness(onDeath),
                new CommandGateway(),
                new ShutdownOrder());
    }
}
