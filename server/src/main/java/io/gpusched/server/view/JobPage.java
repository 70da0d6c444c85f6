package io.gpusched.server.view;

import io.gpusched.core.model.Job;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// One page of a list of jobs, newest first or in the order of the queue, and the total number.
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
    /// @param name a job whose name contains this text in any letter case matches; empty for any
    public record Filter(@Nullable TenantId tenant, Set<PublicState> states, String name) {
        public Filter {
            states = Set.copyOf(states);
        }

        /// Jobs of any name.
        public Filter(@Nullable TenantId tenant, Set<PublicState> states) {
            this(tenant, states, "");
        }

        /// All jobs of the tenant, or of any tenant if it is null.
        public static Filter of(@Nullable TenantId tenant) {
            return new Filter(tenant, EnumSet.allOf(PublicState.class));
        }

        boolean matches(Job job) {
            return (tenant == null || tenant.equals(job.tenant()))
                    && states.contains(PublicState.of(job))
                    && (name.isEmpty() || contains(job.spec().name(), name));
        }

        private static boolean contains(String text, String part) {
            int last = text.length() - part.length();
            for (int start = 0; start <= last; start++) {
                if (text.regionMatches(true, start, part, 0, part.length())) {
                    return true;
                }
            }
            return false;
        }

        /// Whether a job in any state matches.
        public boolean anyState() {
            return states.size() == PublicState.values().length;
        }

        /// Whether all jobs must be looked at to know how many match.
        private boolean needsCounting() {
            return !name.isEmpty() && !states.isEmpty();
        }

        /// The number of jobs that match; without their names, which no count is kept of.
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
        return search.result();
    }

    /// Waiting jobs in the order of the queue, held jobs last. The filter's states other than those
    /// of waiting jobs match none.
    public static JobPage inQueueOrder(QueueIndex index, Filter wanted, long limit, long offset) {
        var search = new Search(index.view(), wanted, limit, offset);
        int place = search.skip(index);
        for (; place < index.size() && search.goesOn(); place++) {
            search.look(index.at(place));
        }
        return search.result();
    }

    /// Goes through jobs in their order until the page is full or no more can be found.
    private static final class Search {
        final View view;
        final Filter wanted;
        final long limit;
        final long offset;
        final long total;
        final boolean unfiltered;
        final boolean counts;
        final List<Job> page = new ArrayList<>();
        long skipped;
        long matched;
        long lookedAt;

        Search(View view, Filter wanted, long limit, long offset) {
            this.view = view;
            this.wanted = wanted;
            this.limit = limit;
            this.offset = offset;
            this.total = wanted.total(view);
            this.counts = wanted.needsCounting();
            this.unfiltered = wanted.tenant() == null && wanted.anyState() && !counts;
        }

        boolean goesOn() {
            return counts || (page.size() < limit && skipped + page.size() < total);
        }

        /// Jumps over the jobs before the page if every job of the index matches.
        int skip(QueueIndex index) {
            if (counts || total != index.size()) {
                return 0;
            }
            skipped = Math.min(offset, index.size());
            return (int) skipped;
        }

        JobPage result() {
            return new JobPage(page, counts ? matched : total, lookedAt);
        }

        void look(long number) {
            lookedAt++;
            Job job = view.jobs().job(number);
            if (job == null || !(unfiltered || wanted.matches(job))) {
                return;
            }
            matched++;
            if (skipped < offset) {
                skipped++;
            } else if (page.size() < limit) {
                page.add(job);
            }
        }
    }
}
