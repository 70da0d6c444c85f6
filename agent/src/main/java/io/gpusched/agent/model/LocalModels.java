package io.gpusched.agent.model;

import io.gpusched.wire.proto.agent.HeldModel;
import io.gpusched.wire.proto.agent.ModelOrder;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Keeps the models of a node as the scheduler orders: one thread loads those that are missing, one
/// after the other in the order of the orders, and removes others.
///
///     order: load a, remove b      on disk: b, c      →  b is removed, a is loaded, c stays
///
/// A model that could not be loaded is tried again after 10 s, then 20 s, up to 10 minutes. A
/// loading that brings nothing for a minute is given up. A model that is no longer ordered while it
/// loads is given up too; a complete one stays until its removal is ordered.
public final class LocalModels implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalModels.class);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(10);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(10);
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

    private record Failure(String problem, int count, long retryAt) {}

    private final ModelDirectory directory;
    private final long most;
    private final Thread thread;
    private final Map<String, ModelOrder> wanted = new LinkedHashMap<>();
    private final Map<String, ModelOrder> leaving = new LinkedHashMap<>();
    private final Map<String, Long> complete = new TreeMap<>();
    private final Map<String, Failure> failures = new TreeMap<>();
    private Runnable changed = () -> {};
    private @Nullable ModelLoading loading;
    private boolean closed;

    /// @param most the most bytes of all models; 0 for no limit
    public LocalModels(Path root, long most) throws IOException {
        this.directory = new ModelDirectory(root.toAbsolutePath());
        this.most = most == 0 ? Long.MAX_VALUE : most;
        complete.putAll(directory.complete());
        thread = Thread.ofPlatform().name("model-cache").daemon().unstarted(this::run);
    }

    /// @param listener called on any thread when the node holds other models than before
    public synchronized void start(Runnable listener) {
        changed = listener;
        thread.start();
    }

    /// Follows these orders from now on; they replace all earlier ones.
    public synchronized void follow(List<ModelOrder> orders) {
        wanted.clear();
        leaving.clear();
        for (ModelOrder order : orders) {
            (order.getRemove() ? leaving : wanted).put(order.getModel(), order);
        }
        failures.keySet().retainAll(wanted.keySet());
        ModelLoading present = loading;
        if (present != null
                && (!present.order().equals(wanted.get(present.order().getModel()))
                        || present.silent().compareTo(LONGEST_SILENCE) > 0)) {
            present.cancel();
            thread.interrupt();
        }
        notifyAll();
    }

    /// Gives a loading up that brings nothing.
    public synchronized void look() {
        ModelLoading present = loading;
        if (present != null && present.silent().compareTo(LONGEST_SILENCE) > 0) {
            present.cancel();
            thread.interrupt();
        }
    }

    /// All that the cache holds, loads and could not load.
    public synchronized List<HeldModel> held() {
        var all = new ArrayList<HeldModel>();
        complete.forEach(
                (model, bytes) ->
                        all.add(held(model, HeldModel.State.CACHED).setBytes(bytes).build()));
        failures.forEach(
                (model, failure) ->
                        all.add(
                                held(model, HeldModel.State.FAILED)
                                        .setProblem(failure.problem)
                                        .build()));
        ModelLoading present = loading;
        if (present != null && !failures.containsKey(present.order().getModel())) {
            all.add(held(present.order().getModel(), HeldModel.State.LOADING).build());
        }
        return all;
    }

    private static HeldModel.Builder held(String model, HeldModel.State state) {
        return HeldModel.newBuilder().setModel(model).setState(state);
    }

    /// Where the complete model is; null where it is not.
    public @Nullable Path find(String model) {
        return directory.find(model);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            if (loading != null) {
                loading.cancel();
            }
            thread.interrupt();
            notifyAll();
        }
    }

    /// What the thread does next: one of the two.
    private record Step(@Nullable String remove, @Nullable ModelLoading load) {}

    private void run() {
        for (Step step = next(); step != null; step = next()) {
            if (step.remove != null) {
                remove(step.remove);
            } else if (step.load != null) {
                changed.run();
                load(step.load);
            }
            changed.run();
        }
    }

    /// Waits for something to do; null when the cache is closed.
    private synchronized @Nullable Step next() {
        while (!closed) {
            String leaves = nextToRemove();
            loading = leaves == null ? nextToLoad() : null;
            if (leaves != null || loading != null) {
                return new Step(leaves, loading);
            }
            try {
                wait(rest());
            } catch (InterruptedException e) {
                log.debug("an interrupt came after the end of its loading", e);
            }
        }
        return null;
    }

    /// The time until a failed model may be tried again, in milliseconds.
    private long rest() {
        long millis = LONGEST_RETRY.toMillis();
        for (Failure failure : failures.values()) {
            long left = Duration.ofNanos(failure.retryAt - System.nanoTime()).toMillis();
            millis = Math.clamp(left, 1, millis);
        }
        return millis;
    }

    private @Nullable String nextToRemove() {
        for (String model : leaving.keySet()) {
            if (complete.containsKey(model)) {
                return model;
            }
        }
        return null;
    }

    private @Nullable ModelLoading nextToLoad() {
        long left = most;
        for (long bytes : complete.values()) {
            left -= bytes;
        }
        for (ModelOrder order : wanted.values()) {
            Failure failure = failures.get(order.getModel());
            boolean waits = failure != null && failure.retryAt - System.nanoTime() > 0;
            if (!complete.containsKey(order.getModel()) && !waits) {
                return new ModelLoading(directory, order, Math.max(0, left));
            }
        }
        return null;
    }

    private void remove(String model) {
        try {
            directory.remove(model);
            log.info("removed model {} from the cache", model);
        } catch (IOException e) {
            log.warn(
                    "could not remove model {}; its files are removed at the next start", model, e);
        }
        synchronized (this) {
            complete.remove(model);
        }
    }

    private void load(ModelLoading present) {
        String model = present.order().getModel();
        if (Thread.interrupted()) {
            log.debug("an interrupt came after the end of its loading");
        }
        log.info("loading model {} from {}", model, present.order().getUri());
        try {
            long bytes = present.run();
            log.info("loaded model {}: {} bytes", model, bytes);
            synchronized (this) {
                complete.put(model, bytes);
                failures.remove(model);
                loading = null;
            }
        } catch (IOException | RuntimeException e) {
            failed(present.order(), e);
        } catch (InterruptedException e) {
            // By close, by other orders, or because nothing arrived.
            failed(present.order(), new IOException("nothing arrived for a minute", e));
        }
    }

    private void failed(ModelOrder order, Exception why) {
        String model = order.getModel();
        try {
            directory.discard(model);
        } catch (IOException e) {
            log.warn("could not remove the incomplete model {}", model, e);
        }
        synchronized (this) {
            loading = null;
            if (closed || !order.equals(wanted.get(model))) {
                return;
            }
            Failure before = failures.get(model);
            int count = before == null ? 1 : before.count + 1;
            Duration wait = FIRST_RETRY.multipliedBy(1L << Math.min(count - 1, 6));
            wait = wait.compareTo(LONGEST_RETRY) < 0 ? wait : LONGEST_RETRY;
            String problem = why.getMessage() == null ? why.toString() : why.getMessage();
            failures.put(model, new Failure(problem, count, System.nanoTime() + wait.toNanos()));
            log.warn(
                    "could not load model {}: {}; the next try is in {} s",
                    model,
                    problem,
                    wait.toSeconds());
        }
    }
}
