package io.gpusched.cli.command;

import io.gpusched.cli.json.Json;
import io.gpusched.cli.print.Cells;
import io.gpusched.cli.print.Column;
import io.gpusched.cli.print.Sheet;
import io.gpusched.cli.rest.Route;
import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

import java.util.List;

/// Says who could go elsewhere so that a waiting job could start. It only advises.
final class Defrag implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("defrag", "Say which moves would let a waiting job start; move nothing.")
                .taking(Operand.atMostOne("JOB", "Id of the job; the largest that waits if none."))
                .examples("Examples:", "  gpu-cli defrag", "  gpu-cli defrag job-17 -o json");
    }

    @Override
    public int run(Session session, Typed typed) {
        Json answer = session.ask(Route.to("defrag").with("job", typed.operand(0)));
        session.printer().detail(answer, summary());
        session.printer().also("Moves", answer.at("moves").items(), moves());
        return 0;
    }

    private static Sheet summary() {
        return new Sheet(
                List.of("job_id"),
                List.of(
                        Column.of("Job ID", "job_id"),
                        Column.of("Summary", "summary"),
                        Column.of("Place", "place"),
                        Column.of("Lost work", a -> a.at("place").isNil() ? "" : lost(a))));
    }

    private static Sheet moves() {
        return new Sheet(
                List.of("job_id"),
                List.of(
                        Column.of("JOB", "job_id"),
                        Column.of("TENANT", "tenant_id"),
                        Column.of("FROM", "from"),
                        Column.of("TO", "to"),
                        Column.of("LOST WORK", Defrag::lost)));
    }

    /// GPU time that would be spent again.
    private static String lost(Json one) {
        Json seconds = one.at("lost_gpu_seconds");
        return seconds.isNil() ? "" : Cells.seconds(seconds) + " of GPU time";
    }
}
