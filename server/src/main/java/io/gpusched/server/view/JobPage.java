package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// One page of a list of jobs, newest first, and the total number.
public record JobPage(List<Job> page, long total) {
    public JobPage {
        page = List.copyOf(page);
    }

    /// A filter of jobs; null means any tenant, any state.
    ///
    /// @param active whether jobs that have ended are left out
    public record Filter(@Nullable TenantId tenant, @Nullable PublicState state, boolean active) {
        public Filter(@Nullable TenantId tenant, @Nullable PublicState state) {
            this(tenant, state, false);
        }

        boolean matches(Job job) {
            return (tenant == null || tenant.equals(job.tenant())) && matches(PublicState.of(job));
        }

        private boolean matches(PublicState its) {
            return (state == null || state == its) && !(active && its.terminal());
        }

        /// The number of jobs that match.
        private long total(View view) {
            if (!active) {
                return view.count(tenant, state);
            }
            long sum = 0;
            for (PublicState one : PublicState.values()) {
                sum += matches(one) ? view.count(tenant, one) : 0;
            }
            return sum;
        }
    }

    public static JobPage of(View view, Filter wanted, long limit, long offset) {
        long total = wanted.total(view);
        var page = new ArrayList<Job>();
        long skipped = 0;
        boolean unfiltered = wanted.tenant() == null && wanted.state() == null && !wanted.active();
        for (long number = view.jobs().last();
                number >= view.jobs().first()
                        && page.size() < limit
                        && skipped + page.size() < total;
                number--) {
            Job job = view.jobs().job(number);
            if (job == null || !(unfiltered || wanted.matches(job))) {
                continue;
            }
            if (skipped < offset) {
                skipped++;
            } else {
                page.add(job);
            }
        }
        return new JobPage(page, total);
    }
}
