package io.gpusched.bench.server;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Route;

import io.gpusched.bench.Bench;
import io.gpusched.bench.Thoroughness;
import io.gpusched.bench.report.Figure;
import io.gpusched.bench.report.Target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// The web page in a real browser: its first view on the demo, and the heat map of a large fleet.
public final class PageBench implements Bench {
    private static final int NODES = 10_000;
    private static final int SENDINGS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path NODE = Path.of("/usr/bin/node");

    /// What the heat map can show; each choice draws all of it again.
    private static final List<String> MODES =
            List.of("Tenant", "Temperature", "Memory", "Power", "Health", "Use");

    /// Notes when the overview has its title and its first chart.
    private static final String WATCH =
            """
            new MutationObserver((changes, observer) => {
              if (document.querySelector("gs-overview h1") && document.querySelector("gs-chart canvas")) {
                window.firstView = performance.now();
                observer.disconnect();
              }
            }).observe(document, {childList: true, subtree: true});
            """;

    private static final String SENT =
            """
            () => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
              .filter(entry => entry.name.includes("/ui/"))
              .reduce((sum, entry) => sum + entry.transferSize, 0)
            """;

    private static final String DRAWS =
            """
            () => performance.getEntriesByName("fleet-draw").map(entry => entry.duration)
            """;

    private final Path root;

    public PageBench(Path root) {
        this.root = root;
    }

    @Override
    public String name() {
        return "page";
    }

    @Override
    public String title() {
        return "the web page in Chromium";
    }

    @Override
    public String how() {
        return """
        `bin/scheduler --demo` and a Chromium without a window on the same cores. The first view is
        the time from the start of the navigation until the overview shows its title and its first
        chart, with an empty cache; the median of several windows. The heat map shows %,d nodes of 8
        GPUs, whose document the server's own code made; every mode of colouring draws all of it
        again, several times in turn; the document itself is sent %s times. The memory is that of the
        tab's process afterwards, shared pages counted by their part (PSS), after a garbage
        collection.\
        """
                .formatted(NODES, SENDINGS);
    }

    @Override
    public List<Figure> run(Thoroughness thoroughness) throws Exception {
        need(CHROMIUM, "chromium");
        need(NODE, "nodejs");
        var environment =
                Map.of(
                        "PLAYWRIGHT_NODEJS_PATH",
                        NODE.toString(),
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1");
        try (var shop = BenchFolder.open(root);
                var playwright =
                        Playwright.create(new Playwright.CreateOptions().setEnv(environment))) {
            var server =
                    ServerProcess.start(
                            shop, shop.folder("data"), Map.of(), PATIENCE, List.of("--demo"));
            var options =
                    new LaunchOptions()
                            .setExecutablePath(CHROMIUM)
                            .setArgs(List.of("--no-sandbox", "--disable-background-networking"));
            try (Browser browser = playwright.chromium().launch(options)) {
                String url = server.uri() + "/ui/";
                var figures = new ArrayList<Figure>();
                figures.addAll(firstView(browser, url, thoroughness.pick(9, 1)));
                figures.addAll(
                        heatMap(
                                browser,
                                url,
                                thoroughness.pick(NODES, 50),
                                thoroughness.pick(10, 1)));
                return figures;
            }
        }
    }

    private static void need(Path program, String debianPackage) throws IOException {
        if (!Files.isExecutable(program)) {
            throw new IOException(
                    "expected %s: install the package %s".formatted(program, debianPackage));
        }
    }

    private static List<Figure> firstView(Browser browser, String url, int windows) {
        var seconds = new ArrayList<Double>();
        double bytes = 0;
        for (int i = 0; i < windows; i++) {
            try (Page page = browser.newPage()) {
                page.addInitScript(WATCH);
                page.navigate(url);
                page.waitForFunction("() => window.firstView");
                seconds.add(number(page.evaluate("window.firstView")) / 1000);
                bytes = number(page.evaluate(SENT));
            }
        }
        Collections.sort(seconds);
        return List.of(
                Figure.of("first view", seconds.get(windows / 2), "s", Target.atMost(1.5)),
                Figure.beside(
                        "slowest of %s first views".formatted(windows), seconds.getLast(), "s"),
                Figure.of("sent for it", bytes / 1000, "kB", Target.atMost(500)));
    }

    private static List<Figure> heatMap(Browser browser, String url, int nodes, int rounds)
            throws IOException {
        byte[] json = new LargeFleet(nodes).draw().json();
        try (Page page = browser.newPage(new Browser.NewPageOptions().setViewportSize(1440, 900))) {
            var asked = new AtomicInteger();
            page.route(
                    "**/api/v1/fleet*",
                    route -> route.fulfill(answer(json, asked.incrementAndGet())));
            page.navigate(url + "#/fleet");
            page.waitForFunction("() => performance.getEntriesByName('fleet-draw').length > 0");
            var millis = new ArrayList<Double>();
            for (int i = 0; i < rounds; i++) {
                for (String mode : MODES) {
                    page.evaluate("performance.clearMeasures('fleet-draw')");
                    page.locator(".fleet-modes").getByText(mode).click();
                    page.waitForFunction(
                            "() => performance.getEntriesByName('fleet-draw').length > 0");
                    for (Object draw : (List<?>) page.evaluate(DRAWS)) {
                        millis.add(number(draw));
                    }
                }
            }
            Collections.sort(millis);
            return List.of(
                    Figure.of(
                            "redraw of %,d nodes, 95th percentile".formatted(nodes),
                            millis.get(millis.size() * 95 / 100),
                            "ms",
                            Target.atMost(50)),
                    Figure.beside("median", millis.get(millis.size() / 2), "ms"),
                    Figure.beside("longest of %s".formatted(millis.size()), millis.getLast(), "ms"),
                    Figure.of(
                            "memory of the tab", memory(browser, page), "MB", Target.atMost(300)));
        }
    }

    /// Sends the document a few times, then says that it has not changed. The browser's debugging
    /// interface, through which this bench works, keeps every body, so more of them would measure
    /// the interface and not the page.
    private static Route.FulfillOptions answer(byte[] json, int number) {
        var options =
                new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setHeaders(Map.of("ETag", "\"" + Math.min(number, SENDINGS) + "\""));
        return number <= SENDINGS ? options.setBodyBytes(json) : options.setStatus(304);
    }

    /// The memory of the largest renderer process, which is the one of the page.
    private static double memory(Browser browser, Page page) throws IOException {
        page.context().newCDPSession(page).send("HeapProfiler.collectGarbage");
        CDPSession session = browser.newBrowserCDPSession();
        JsonObject info = session.send("SystemInfo.getProcessInfo");
        double largest = 0;
        for (JsonElement each : info.getAsJsonArray("processInfo")) {
            JsonObject process = each.getAsJsonObject();
            if (process.get("type").getAsString().equals("renderer")) {
                largest = Math.max(largest, proportionalSize(process.get("id").getAsLong()));
            }
        }
        return largest;
    }

    private static double proportionalSize(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
            if (line.startsWith("Pss:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024 / 1e6;
            }
        }
        throw new IOException("process " + pid + " does not tell its memory");
    }

    private static double number(Object value) {
        return ((Number) value).doubleValue();
    }
}
