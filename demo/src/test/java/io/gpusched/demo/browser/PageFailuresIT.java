package io.gpusched.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;

/// What the page says without a token, with a revoked one, while the scheduler restarts, and in
/// front of an older scheduler.
@Timeout(240)
final class PageFailuresIT {
    @TempDir Path temp;

    private Chromium chromium;
    private Visited demo;

    @BeforeEach
    void start() {
        chromium = Chromium.start();
        demo = Visited.locked(temp);
    }

    @AfterEach
    void stop() {
        if (demo != null) {
            demo.close();
        }
        if (chromium != null) {
            chromium.close();
        }
    }

    @Test
    void withoutATokenThePageAsksForOneAndKeepsItOutOfAddresses() {
        try (Window window = chromium.open(demo.url())) {
            window.go("queue");
            window.button("Log in").waitFor();
            window.picture("login").isAccessible();
            window.page.locator("[name=token]").fill("not-a-token");
            window.button("Log in").click();
            window.text("does not know this token").waitFor();
            window.logIn(demo.adminToken());
            assertThat(window.heading().textContent()).contains("Queue");
            assertThat(window.page.url()).doesNotContain(demo.adminToken());
            window.hasNoComplaints(complaint -> complaint.contains("401"));
        }
    }

    @Test
    void aRevokedTokenLeadsBackToTheLogin() {
        String token = demo.send("POST", "tenants/research/tokens", "{}").get("token").asText();
        try (Window window = chromium.open(demo.url())) {
            window.go("");
            window.button("Log in").waitFor();
            window.logIn(token);
            assertThat(window.link("Model").count()).as("a tenant has no such view").isZero();
            demo.send("DELETE", "tenants/research/tokens", "");
            window.text("Log in again").or(window.text("has been revoked")).waitFor();
            window.button("Log in").waitFor();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whileTheSchedulerRestartsThePageKeepsItsFiguresAndReconnects(boolean orderly) {
        try (Window window = chromium.open(demo.url())) {
            window.go("queue");
            window.button("Log in").waitFor();
            window.logIn(demo.adminToken());
            window.connection("live").waitFor();
            if (orderly) {
                demo.stop();
            } else {
                demo.kill();
            }
            window.connection("offline").waitFor();
            assertThat(window.heading().textContent()).contains("Queue");
            demo.restart();
            window.connection("live").waitFor();
        }
    }

    @Test
    void anOlderSchedulerIsToldApartFromOneThatIsAway() {
        try (Window window = chromium.open(demo.url())) {
            window.page.route(
                    "**/api/v1/whoami",
                    route -> route.fulfill(new Route.FulfillOptions().setStatus(404).setBody("")));
            window.page.navigate(demo.url() + "/ui/", new Page.NavigateOptions());
            window.text("Update the scheduler").waitFor();
        }
    }
}
