package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// One page of a list of jobs, newest first, and the total number.
///
/// @param lookedAt how many jobs were read to find them
public record JobPage(List<Job> page, long total, long lookedAt) {
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
        var search = new Search(view, wanted, limit, offset);
        TenantRow row = wanted.tenant() == null ? null : view.tenants().row(wanted.tenant());
        if (row != null) {
            for (int place = row.jobs().size() - 1; place >= 0 && search.goesOn(); place--) {
                search.look(row.jobs().at(place));
            }
        } else {
            long first = view.jobs().first();
            for (long number = view.jobs().last(); number >= first && search.goesOn(); number--) {
                search.look(number);
            }
        }
        return new JobPage(search.page, search.total, search.lookedAt);
    }

    /// Goes through jobs, newest first, until the page is full or no more can be found.
    private static final class Search {
        final View view;
        final Filter wanted;
        final long limit;
        final long offset;
        final long total;
        final boolean unfiltered;
        final List<Job> page = new ArrayList<>();
        long skipped;
        long lookedAt;

        Search(View view, Filter wanted, long limit, long offset) {
            this.view = view;
            this.wanted = wanted;
            this.limit = limit;
            this.offset = offset;
            this.total = wanted.total(view);
            this.unfiltered = wanted.tenant() == null && wanted.state() == null && !wanted.active();
        }

        boolean goesOn() {
            return page.size() < limit && skipped + page.size() < total;
        }

        void look(long number) {
            lookedAt++;
            Job job = view.jobs().job(number);
            if (job == null || !(unfiltered || wanted.matches(job))) {
                return;
            }
            if (skipped < offset) {
                skipped++;
            } else {
                page.add(job);
            }
        }
    }
}
