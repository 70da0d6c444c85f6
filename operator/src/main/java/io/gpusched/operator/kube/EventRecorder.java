package io.gpusched.operator.kube;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/// Writes Events about objects, for people who read `kubectl describe`. Equal events are one with a
/// count. Events must not slow anything down: they are sent by a thread of their own, at a limited
/// rate for each object and for all, and dropped if too many wait. What is dropped is counted, and
/// a repetition that is not sent is part of the count of the next one that is.
public final class EventRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final int MOST_WAITING = 1000;
    private static final int MOST_REMEMBERED = 4096;
    private static final int MOST_MESSAGE = 1000;
    private static final int MOST_NAME = 230;
    private static final int BURST = 200;
    private static final Duration EACH = Duration.ofMillis(20);
    private static final int BURST_OF_OBJECT = 10;
    private static final Duration EACH_OF_OBJECT = Duration.ofMinutes(1);
    private static final Duration SERIES = Duration.ofHours(1);

    private record Note(ObjectReference about, String type, String reason, String message) {}

    private static final class Series {
        private final String name;
        private final Instant first;
        private Instant last;
        private long count;

        Series(String name, Instant first) {
            this.name = name;
            this.first = first;
            this.last = first;
        }
    }

    private final KubeApi api;
    private final String component;
    private final String instance;
    private final InstantSource clock;
    private final BlockingQueue<Note> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final LongAdder dropped = new LongAdder();
    private final Map<Note, Series> sent = latest();
    private final Map<String, TokenBucket> buckets = latest();
    private final TokenBucket bucket;
    private final Thread thread;

    /// @param component `gpu-scheduler`, as `kubectl describe` shows it
    /// @param instance which process it is
    public EventRecorder(KubeApi api, String component, String instance) {
        this(api, component, instance, InstantSource.system());
    }

    EventRecorder(KubeApi api, String component, String instance, InstantSource clock) {
        this.api = api;
        this.component = component;
        this.instance = instance;
        this.clock = clock;
        this.bucket = new TokenBucket(BURST, EACH, clock.instant());
        this.thread = Thread.ofVirtual().name("events").unstarted(this::run);
    }

    private static <K, V> Map<K, V> latest() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > MOST_REMEMBERED;
            }
        };
    }

    public void start() {
        thread.start();
    }

    /// Never waits.
    ///
    /// @param type `Normal` or `Warning`
    /// @param reason one word in upper camel case
    public void record(ObjectReference about, String type, String reason, String message) {
        String shown = message.substring(0, Math.min(message.length(), MOST_MESSAGE));
        if (!waiting.offer(new Note(about, type, reason, shown))) {
            dropped.increment();
        }
    }

    /// How many events were not written.
    public long dropped() {
        return dropped.sum();
    }

    private void run() {
        try {
            while (true) {
                send(waiting.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Note note) {
        Instant now = clock.instant();
        Series series = sent.get(note);
        if (series == null || now.isAfter(series.last.plus(SERIES))) {
            series = new Series(name(note, now), now);
            sent.put(note, series);
        }
        series.count++;
        series.last = now;
        TokenBucket own =
                buckets.computeIfAbsent(
                        note.about().uid(),
                        _ -> new TokenBucket(BURST_OF_OBJECT, EACH_OF_OBJECT, now));
        if (!own.take(now) || !bucket.take(now)) {
            dropped.increment();
            return;
        }
        try {
            write(note, series);
        } catch (KubeException e) {
            dropped.increment();
            LOG.debug("event not written: {}", e.getMessage());
        }
    }

    private static String name(Note note, Instant now) {
        long nanos = now.getEpochSecond() * 1_000_000_000 + now.getNano();
        String name = note.about().name();
        String suffix = Long.toHexString(nanos ^ note.hashCode());
        return name.substring(0, Math.min(name.length(), MOST_NAME)) + "." + suffix;
    }

    private void write(Note note, Series series) {
        String namespace = namespace(note.about());
        if (series.count > 1) {
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            patch.put("count", series.count).put("lastTimestamp", seconds(series.last));
            try {
                api.patch(
                        ResourceType.EVENTS,
                        namespace,
                        series.name,
                        "",
                        KubeApi.PatchKind.MERGE,
                        patch);
                return;
            } catch (KubeException e) {
                if (!e.isNotFound()) {
                    throw e;
                }
            }
        }
        api.create(ResourceType.EVENTS, namespace, event(note, series));
    }

    /// Events about objects without a namespace are in `default`, as everywhere.
    private static String namespace(ObjectReference about) {
        return about.namespace().isEmpty() ? "default" : about.namespace();
    }

    private ObjectNode event(Note note, Series series) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata")
                .put("name", series.name)
                .put("namespace", namespace(note.about()));
        ObjectReference about = note.about();
        ObjectNode involved = event.putObject("involvedObject");
        involved.put("apiVersion", about.apiVersion()).put("kind", about.kind());
        involved.put("name", about.name()).put("uid", about.uid());
        if (!about.namespace().isEmpty()) {
            involved.put("namespace", about.namespace());
        }
        event.put("type", note.type()).put("reason", note.reason()).put("message", note.message());
        event.put("count", series.count);
        event.put("firstTimestamp", seconds(series.first));
        event.put("lastTimestamp", seconds(series.last));
        event.putObject("source").put("component", component);
        event.put("reportingComponent", component).put("reportingInstance", instance);
        return event;
    }

    private static String seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /// What still waits is dropped.
    @Override
    public void close() {
        thread.interrupt();
    }
}
