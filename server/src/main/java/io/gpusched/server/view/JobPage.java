package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// One page of a list of jobs, newest first, and the total number.
///
/// @param lookedAt how many jobs were read to find them
public record JobPage(List<Job> page, long total, long lookedAt) {
    public JobPage {
        page = List.copyOf(page);
    }

    /// A filter of jobs.
    ///
    /// @param tenant null for any tenant
    /// @param states a job in one of these matches; an empty set matches no job
    public record Filter(@Nullable TenantId tenant, Set<PublicState> states) {
        public Filter {
            states = Set.copyOf(states);
        }

        /// All jobs of the tenant, or of any tenant if it is null.
        public static Filter of(@Nullable TenantId tenant) {
            return new Filter(tenant, EnumSet.allOf(PublicState.class));
        }

        boolean matches(Job job) {
            return (tenant == null || tenant.equals(job.tenant()))
                    && states.contains(PublicState.of(job));
        }

        boolean anyState() {
            return states.size() == PublicState.values().length;
        }

        /// The number of jobs that match.
        private long total(View view) {
            long sum = 0;
            for (PublicState state : states) {
                sum += view.count(tenant, state);
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
            this.unfiltered = wanted.tenant() == null && wanted.anyState();
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
