package io.ratelimit.core;

/**
 * Tokens flow in steadily and are spent in bursts.
 *
 * <p><b>Idea.</b> A bucket holds up to {@code B} tokens and starts full. {@code L} tokens flow in during each window,
 * evenly, not all at its end; what does not fit is lost. A request takes as many tokens as it costs, or is refused.
 *
 * <p><b>Formula.</b> In units of {@code 1/W} token the level rises by {@code L} each tick up to {@code B·W}. A request
 * of cost {@code c} is admitted when {@code level >= c·W}. Kept is what is missing, the debt {@code B·W − level} (see
 * {@link PermitDebt}); with it the rule reads {@code debt + (c − 1)·W <= (B − 1)·W}. When {@code B} changes, what was
 * spent stays spent, and a bucket that became smaller lacks no more than it holds.
 *
 * <p><b>Memory.</b> Three numbers for each key.
 *
 * <p><b>Burst.</b> Any closed interval of length {@code W} admits at most {@code B + L}: a full bucket at its beginning
 * and what flows in until its end.
 *
 * <p><b>Weakness.</b> That sum surprises who reads "10 per minute": the first minute admits 20. A burst smaller than the
 * limit brings it down.
 *
 * <p><b>Source.</b> Turner, "New directions in communications", 1986. Parameters as in Envoy's local rate limit filter:
 * {@code max_tokens} is the burst, {@code tokens_per_fill} the limit, {@code fill_interval} the window.
 */
public final class TokenBucket extends PermitDebt {

    TokenBucket() {}

    @Override
    long tolerance(Limit limit) {
        return limit.limit() == 0 ? -1 : limit.burst() - 1;
    }

    @Override
    long mostOwed(Limit limit) {
        return limit.burst();
    }

    @Override
    PermitDebt empty() {
        return new TokenBucket();
    }
}
