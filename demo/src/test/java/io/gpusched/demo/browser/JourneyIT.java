package io.gpusched.demo.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/// What people do with the page, from the login on: submit a job and watch it run, read why another
/// waits, cancel it, drain a node, scale a pool, ask a what-if.
@Timeout(240)
final class JourneyIT {
    @TempDir Path temp;

    private Chromium chromium;
    private Visited demo;
    private Window window;

    @BeforeEach
    void start() {
        chromium = Chromium.start();
        demo = Visited.locked(temp);
        demo.await("8 nodes", "nodes", nodes -> nodes.get("nodes").size() == 8);
        window = chromium.open(demo.url());
        window.go("");
        window.button("Log in").waitFor();
        window.logIn(demo.adminToken());
    }

    @AfterEach
    void stop() {
        if (window != null) {
            window.close();
        }
        if (demo != null) {
            demo.close();
        }
        if (chromium != null) {
            chromium.close();
        }
    }

    @Test
    void aJobIsSubmittedAndWatchedUntilItHasEnded() {
        window.link("Submit a job").click();
        window.page.locator("[name=name]").fill("journey");
        window.page.locator("[name=gpu_count]").fill("1");
        window.page.locator("[name=priority]").fill("90");
        window.page.locator("[name=script]").fill("echo hello from the page");
        window.picture("journey-submit");
        window.button("Submit").click();
        window.page.waitForURL("**/ui/#/jobs/job-*");
        window.heading("journey").waitFor();
        state("completed").waitFor();
        window.picture("journey-completed").isAccessible();
        complaintsOnlyAboutTheLogin();
    }

    @Test
    void theReasonOfAWaitingJobIsReadAndTheJobCancelled() {
        String job =
                demo.submit(
                        "{\"name\":\"whole-cluster\",\"gpu_count\":64,\"gang_scheduling\":true,"
                                + "\"tenant_id\":\"default\",\"command\":[\"true\"]}");
        window.see("jobs/" + job);
        window.text("Why it waits").waitFor();
        window.picture("journey-why");
        window.button("Cancel …").click();
        window.button("Cancel the job").click();
        state("cancelled").waitFor();
        assertThat(demo.get("jobs/" + job).get("state").asText()).isEqualTo("cancelled");
        complaintsOnlyAboutTheLogin();
    }

    @Test
    void aNodeIsDrained() {
        window.see("fleet");
        window.page.getByRole(AriaRole.CELL).getByText("node-3").click();
        window.button("Drain …").waitFor();
        window.button("Drain …").click();
        window.picture("journey-drain");
        window.page.getByRole(AriaRole.DIALOG).getByText("Drain", exactly()).last().click();
        state("draining").or(state("drained")).first().waitFor();
        assertThat(demo.get("nodes/node-3").get("state").asText()).startsWith("drain");
        complaintsOnlyAboutTheLogin();
    }

    @Test
    void aPoolIsScaledAndTheDecisionRead() {
        demo.await("a ready replica", "pools/chat", pool -> pool.at("/status/ready").asInt() > 0);
        window.see("pools");
        window.link("chat").click();
        window.button("Scale …").click();
        window.page.locator("[name=replicas]").fill("3");
        window.page.locator("[name=reason]").fill("a test of the page");
        window.picture("journey-scale");
        window.button("Hold this size").click();
        window.text("The size is held at 3.").waitFor();
        window.heading("chat").waitFor();
        window.page.locator(".pl-why").getByText("a test of the page").first().waitFor();
        demo.await("3 ready", "pools/chat", pool -> pool.at("/status/ready").asInt() == 3);
        window.picture("journey-scaled").isAccessible();
        window.button("Release").click();
        window.page.getByRole(AriaRole.DIALOG).getByText("Release", exactly()).last().click();
        demo.await("release", "pools/chat", pool -> !pool.at("/status").has("held_at"));
        complaintsOnlyAboutTheLogin();
    }

    @Test
    void aWhatIfIsAskedAndItsAnswerRead() {
        demo.await("ended jobs", "jobs?state=completed", jobs -> jobs.get("total").asInt() > 3);
        window.see("lab");
        window.page.getByLabel("Policy").first().selectOption("fifo");
        window.button("Start").click();
        window.page.waitForURL("**id=*");
        window.button("Delete").waitFor();
        window.picture("journey-what-if").isAccessible();
        complaintsOnlyAboutTheLogin();
    }

    private Locator state(String name) {
        return window.page.locator(".head .chip.state").getByText(name, exactly());
    }

    private static Locator.GetByTextOptions exactly() {
        return new Locator.GetByTextOptions().setExact(true);
    }

    /// The first requests have no token, which the browser reports.
    private void complaintsOnlyAboutTheLogin() {
        window.hasNoComplaints(complaint -> complaint.contains("401"));
    }
}
