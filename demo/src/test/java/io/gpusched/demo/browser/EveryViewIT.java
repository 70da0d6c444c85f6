package io.gpusched.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Every view of the page on the demo, in three widths and both themes: it shows its data, fits the
/// window, has no serious accessibility finding, and the console stays empty. The pictures are kept
/// in `target/screenshots`.
@Timeout(300)
final class EveryViewIT {
    private static final int WIDEST = 1440;

    private static final List<String> VIEWS =
            List.of(
                    "",
                    "queue",
                    "queue?show=running",
                    "queue?show=ended",
                    "fleet",
                    "nodes/node-1",
                    "gantt",
                    "pools",
                    "pools/chat",
                    "tenants",
                    "tenants/research",
                    "model",
                    "policies",
                    "lab",
                    "alerts",
                    "submit");

    @TempDir static Path temp;

    private static Chromium chromium;
    private static Visited demo;
    private static String waiting;
    private static String running;

    @BeforeAll
    static void start() {
        chromium = Chromium.start();
        demo = Visited.open(temp);
        demo.await("ended jobs", "jobs?state=completed", jobs -> jobs.get("total").asInt() > 3);
        waiting = hostile("<img src=x onerror=alert(1)>");
        hostile("x".repeat(200));
        hostile("\u202Enruter\u202C \u05D0\u05D1\u05D2 \u0645\u0647\u0645\u0629");
        demo.await("figures over time", "history?series=gpus_used", EveryViewIT::hasFigures);
        running = demo.get("jobs?state=running&limit=1").at("/jobs/0/job_id").asText();
    }

    /// Submits a job that needs the whole quota of its tenant and so waits.
    private static String hostile(String name) {
        return demo.submit(
                "{\"name\":\"%s\",\"gpu_count\":16,\"gang_scheduling\":true,\"priority\":0,"
                                .formatted(name)
                        + "\"tenant_id\":\"education\",\"command\":[\"true\"]}");
    }

    @AfterAll
    static void stop() {
        if (demo != null) {
            demo.close();
        }
        if (chromium != null) {
            chromium.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 1024, WIDEST})
    void everyViewIsWholeInBothThemes(int width) {
        for (boolean dark : new boolean[] {false, true}) {
            for (String view : views()) {
                try (Window window = chromium.open(demo.url(), width, dark)) {
                    window.see(view);
                    window.page.waitForLoadState();
                    window.picture(name(view, width, dark)).isAccessible().hasNoComplaints();
                    assertThat(window.page.evaluate("document.documentElement.scrollWidth"))
                            .as("width of %s at %s", view, width)
                            .isEqualTo(width);
                }
            }
        }
        if (width == WIDEST) {
            takePictureForReadme();
        }
    }

    /// `docs/pictures/overview.png`, taken when the demo has run for a while.
    private static void takePictureForReadme() {
        try (Window window = chromium.open(demo.url())) {
            window.see("?range=15m").page.locator(".feed li").nth(6).waitFor();
            window.picture("readme");
        }
    }

    private static boolean hasFigures(JsonNode history) {
        for (JsonNode value : history.at("/series/gpus_used")) {
            if (!value.isNull()) {
                return true;
            }
        }
        return false;
    }

    private static List<String> views() {
        var all = new ArrayList<>(VIEWS);
        all.add("jobs/" + waiting);
        all.add("jobs/" + running);
        return all;
    }

    private static String name(String view, int width, boolean dark) {
        String plain = view.isEmpty() ? "overview" : view.replaceAll("[^a-z0-9]+", "-");
        plain = view.equals("jobs/" + waiting) ? "job-waiting" : plain;
        plain = view.equals("jobs/" + running) ? "job-running" : plain;
        return "%s-%d-%s".formatted(plain, width, dark ? "dark" : "light");
    }
}
