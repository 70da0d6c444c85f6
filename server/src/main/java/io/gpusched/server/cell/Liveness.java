package io.gpusched.server.cell;

import io.gpusched.store.StoreHealth;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Whether the parts that the scheduler cannot work without are alive: the store, the cell's
/// thread, the follower, the listening ports.
public final class Liveness implements StoreHealth {
    private static final Logger LOG = LoggerFactory.getLogger(Liveness.class);

    private final AtomicReference<String> store = new AtomicReference<>("");
    private final AtomicReference<String> death = new AtomicReference<>("");
    private final List<Supplier<String>> watched = new CopyOnWriteArrayList<>();
    private final Consumer<Throwable> onDeath;

    /// @param onDeath called when a part that the scheduler cannot work without has failed
    public Liveness(Consumer<Throwable> onDeath) {
        this.onDeath = onDeath;
    }

    /// What is wrong, for the health check; empty when nothing is.
    public String trouble() {
        String fatal = death.get();
        if (!fatal.isEmpty()) {
            return fatal;
        }
        String unstored = store.get();
        return unstored.isEmpty() ? watchedTrouble() : unstored;
    }

    /// What is wrong with the store; empty when nothing is known to be.
    public String storeTrouble() {
        return store.get();
    }

    private String watchedTrouble() {
        for (Supplier<String> part : watched) {
            String trouble = part.get();
            if (!trouble.isEmpty()) {
                return trouble;
            }
        }
        return "";
    }

    /// Adds a part to the health check. `trouble` says what is wrong with it; empty when nothing
    /// is.
    public void watch(Supplier<String> trouble) {
        watched.add(trouble);
    }

    /// Records that a part has failed that the scheduler cannot work without.
    public void died(Throwable why) {
        death.compareAndSet("", "the scheduler has stopped: " + why.getMessage());
        onDeath.accept(why);
    }

    @Override
    public void paused(String why, int tries) {
        if (store.getAndSet("nothing can be stored at the moment: " + why).isEmpty()) {
            LOG.warn("the store is in trouble, trying again until it works: {}", why);
        }
    }

    @Override
    public void resumed() {
        store.set("");
        LOG.info("the store works again");
    }

    @Override
    public void warning(String what) {
        LOG.warn("{}", what);
    }
}
