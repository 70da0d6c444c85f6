package io.gpusched.bench.server;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;
import io.gpusched.server.http.FleetPictures;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The picture of a large fleet, as a page reads it.
public final class FleetBench implements Bench {
    private static final int NODES = 10_000;
    private static final double MILLION = 1e6;

    @Override
    public String name() {
        return "fleet";
    }

    @Override
    public String title() {
        return "the picture of every GPU of a large cluster";
    }

    @Override
    public String how() {
        return """
        One thread makes the answer of `GET /api/v1/fleet` from the published view: %,d nodes in racks
        of 20 with 8 GPUs each, every GPU held by a job of one of 50 tenants and with readings of its
        own. The time is that of the thread on the processor, for the document and its compression;
        the server makes it at most once in ten times that time, for all its readers together. The
        median of several rounds is taken.\
        """
                .formatted(NODES);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) {
        var fleet = new LargeFleet(thoroughness.pick(NODES, 20));
        FleetPictures.Picture drawn = fleet.draw();
        for (int i = 0; i < thoroughness.pick(30, 0); i++) {
            drawn = fleet.draw();
        }
        var threads = ManagementFactory.getThreadMXBean();
        var millis = new ArrayList<Double>();
        for (int i = 0; i < thoroughness.pick(51, 3); i++) {
            long before = threads.getCurrentThreadCpuTime();
            drawn = fleet.draw();
            millis.add((threads.getCurrentThreadCpuTime() - before) / MILLION);
        }
        Collections.sort(millis);
        return List.of(
                Figure.of(
                        "one picture, made and compressed, median",
                        millis.get(millis.size() / 2),
                        "ms",
                        Target.atMost(100)),
                Figure.of(
                        "compressed size",
                        drawn.compressed().length / MILLION,
                        "MB",
                        Target.atMost(2)),
                Figure.beside("size", drawn.json().length / MILLION, "MB"));
    }
}
