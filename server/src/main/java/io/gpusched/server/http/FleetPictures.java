package io.gpusched.server.http;

import io.gpusched.core.model.TenantId;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.server.view.LatestReadings;
import io.gpusched.server.view.View;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// The newest picture of the fleet for each kind of caller, so that many open pages cost no more
/// than one.
///
/// A picture is used again while nothing has changed. In a busy cluster something always has, so a
/// picture is also used again for ten times as long as it took to make, at most one second: making
/// pictures for one kind of caller takes at most a tenth of a processor, and in a small cluster
/// every request sees the present.
public final class FleetPictures {
    private static final int REST_PER_WORK = 10;
    private static final long LONGEST_NANOS = 1_000_000_000L;

    /// Kinds of callers whose pictures are kept: the administrator, and tenants.
    private static final int MOST_KEPT = 32;

    private final Supplier<View> views;
    private final LatestReadings readings;
    private final TopologyLevels levels;
    private final InstantSource clock;
    private final long started;
    private final SequencedMap<String, Picture> kept = new LinkedHashMap<>();

    public FleetPictures(
            Supplier<View> views,
            LatestReadings readings,
            TopologyLevels levels,
            InstantSource clock) {
        this.views = views;
        this.readings = readings;
        this.levels = levels;
        this.clock = clock;
        this.started = clock.instant().toEpochMilli();
    }

    /// @param tag differs from that of every other picture, also of those for other callers
    @SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
    public record Picture(
            String tag,
            long batch,
            long telemetry,
            byte[] json,
            byte[] compressed,
            long madeAt,
            long took) {
        boolean isCurrent(View view, long version) {
            return batch == view.batch() && telemetry == version;
        }

        boolean isRecent(long now) {
            return now - madeAt < Math.min(LONGEST_NANOS, took * REST_PER_WORK);
        }
    }

    /// The picture for a tenant; for the administrator, who sees all, where it is null.
    public synchronized Picture now(@Nullable TenantId viewer) {
        String key = viewer == null ? "" : viewer.name();
        Picture last = kept.remove(key);
        if (last == null
                || !last.isRecent(System.nanoTime())
                        && !last.isCurrent(views.get(), readings.version())) {
            last = make(viewer);
        }
        kept.put(key, last);
        if (kept.size() > MOST_KEPT) {
            kept.pollFirstEntry();
        }
        return last;
    }

    private Picture make(@Nullable TenantId viewer) {
        long began = System.nanoTime();
        View view = views.get();
        long version = readings.version();
        byte[] json =
                new FleetJson(view, readings, levels, viewer).write(clock.instant()).toBytes();
        byte[] compressed = compress(json);
        long now = System.nanoTime();
        String tag = "%x-%x-%x-%s".formatted(started, view.batch(), version, tag(viewer));
        return new Picture(tag, view.batch(), version, json, compressed, now, now - began);
    }

    /// In a browser, another person may log in and send the tag of the picture before.
    private static String tag(@Nullable TenantId viewer) {
        return viewer == null
                ? "all"
                : HexFormat.of().formatHex(viewer.name().getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] compress(byte[] json) {
        var bytes = new ByteArrayOutputStream(json.length / 4 + 64);
        try (var out = new FastGzip(bytes)) {
            out.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /// Gzip at the fastest level: the higher ones take several times as long for a tenth less.
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(ByteArrayOutputStream out) throws IOException {
            super(out, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
