package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.rest.Route;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.Map;

/// Gives a job another priority.
@Command(
        name = "priority",
        description = "Change the priority of a job.",
        footer = {"", "Example:", "  gpu-cli priority job-7 2000"})
public final class Priority implements Action {
    @Parameters(index = "0", paramLabel = "JOB", description = "Id of the job.")
    String id = "";

    @Parameters(index = "1", paramLabel = "N", description = "The new priority; higher wins.")
    Long priority = 0L;

    @Override
    public int run(Session session) {
        Json body = new Body().with("priority", priority).json();
        Json answer = session.rest().call("PATCH", Route.to("jobs", id), body, Map.of());
        session.tell(answer, id, id + ": priority " + priority);
        return 0;
    }
}
