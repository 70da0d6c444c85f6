package io.gpusched.demo.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;

import io.gpusched.demo.process.Tools;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// An installed Chromium without a window. Tests that need it are skipped where it is missing, and
/// fail there if `CI` is set.
final class Chromium implements AutoCloseable {
    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    static Chromium start() {
        Tools.need("chromium");
        var environment = Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1");
        Playwright playwright =
                Playwright.create(new Playwright.CreateOptions().setEnv(environment));
        Browser browser =
                playwright
                        .chromium()
                        .launch(
                                new LaunchOptions()
                                        .setExecutablePath(Path.of("/usr/bin/chromium"))
                                        .setArgs(
                                                List.of(
                                                        "--no-sandbox",
                                                        "--disable-background-networking",
                                                        "--enable-precise-memory-info")));
        return new Chromium(playwright, browser);
    }

    /// A new, empty browser window of this size that looks at the page of a server.
    Window open(String url, int width, boolean dark) {
        var options =
                new Browser.NewContextOptions()
                        .setViewportSize(width, width < 500 ? 844 : 900)
                        .setColorScheme(dark ? ColorScheme.DARK : ColorScheme.LIGHT);
        return new Window(browser.newContext(options), url);
    }

    Window open(String url) {
        return open(url, 1440, false);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
