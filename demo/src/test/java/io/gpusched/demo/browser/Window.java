package io.gpusched.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/// A browser window with the page of a server. It remembers everything that the page complained
/// about.
final class Window implements AutoCloseable {
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final String AXE = read("/axe.min.js");

    /// The findings that must not occur, of all that the accessibility check knows.
    private static final Set<String> SERIOUS = Set.of("serious", "critical");

    private static final String CHECK =
            """
            async () => (await axe.run(document)).violations.map(violation =>
                [violation.impact, violation.id, violation.nodes.map(node => node.html).join(" | ")])
            """;

    /// Long, because the machine may be busy with other work.
    private static final double PATIENCE_MILLIS = 90_000;

    private final BrowserContext context;
    private final String url;
    private final List<String> complaints = new ArrayList<>();
    final Page page;

    Window(BrowserContext context, String url) {
        this.context = context;
        this.url = url;
        page = context.newPage();
        page.setDefaultTimeout(PATIENCE_MILLIS);
        page.onConsoleMessage(this::note);
        page.onPageError(error -> complaints.add("uncaught: " + error));
    }

    private void note(ConsoleMessage message) {
        if (message.type().equals("error") || message.type().equals("warning")) {
            complaints.add(message.type() + ": " + message.text() + " at " + message.location());
        }
    }

    /// Opens a view by its address: `queue?state=running`.
    Window go(String view) {
        page.navigate(url + "/ui/#/" + view);
        return this;
    }

    /// Opens a view and waits until it shows its data.
    Window see(String view) {
        go(view);
        heading().waitFor();
        return this;
    }

    Locator heading() {
        return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1));
    }

    Locator heading(String text) {
        return heading().filter(new Locator.FilterOptions().setHasText(text));
    }

    /// The mark in the corner that says how the page gets its events.
    Locator connection(String state) {
        return page.locator(".side .link-state." + state);
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator link(String name) {
        return page.getByRole(
                AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    Locator field(String label) {
        return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
    }

    Locator text(String text) {
        return page.getByText(text).first();
    }

    /// Logs in on the login page.
    Window logIn(String token) {
        page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Token")).fill(token);
        button("Log in").click();
        heading().filter(new Locator.FilterOptions().setHasNotText("Log in")).waitFor();
        return this;
    }

    /// Keeps a picture of the window as a build artefact.
    Window picture(String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(name + ".png")));
        return this;
    }

    /// Checks accessibility by axe.
    Window isAccessible() {
        page.evaluate(AXE);
        @SuppressWarnings("unchecked") // The script gives lists of texts.
        var found = (List<List<String>>) page.evaluate(CHECK);
        assertThat(found)
                .as("accessibility of %s", page.url())
                .noneMatch(finding -> SERIOUS.contains(finding.getFirst()));
        return this;
    }

    /// Checks that the page has complained about nothing but what the test expects.
    Window hasNoComplaints(Predicate<String> expected) {
        assertThat(complaints).as("console of %s", page.url()).allMatch(expected);
        return this;
    }

    Window hasNoComplaints() {
        return hasNoComplaints(complaint -> false);
    }

    private static String read(String resource) {
        try (InputStream in =
                Objects.requireNonNull(Window.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
