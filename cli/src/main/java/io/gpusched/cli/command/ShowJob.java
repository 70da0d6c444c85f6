package io.gpusched.cli.command;

import io.gpusched.cli.words.Operand;
import io.gpusched.cli.words.Syntax;
import io.gpusched.cli.words.Typed;

/// Shows one job with everything the scheduler says about it.
final class ShowJob implements Action {
    @Override
    public Syntax syntax() {
        return Syntax.of("get", "Show one job.")
                .alsoCalled("show")
                .taking(Operand.one("JOB", "Id of the job."))
                .examples("Example:", "  gpu-cli get job-7 -o wide");
    }

    @Override
    public int run(Session session, Typed typed) {
        session.printer().detail(session.job(typed.operand(0)), JobSheets.detail());
        return 0;
    }
}
