package io.ratelimit.expression;

/** Thrown when the text of an expression cannot work; says what is wrong and what to do, separately. */
public final class InvalidExpressionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String problem;

    private final String remedy;

    InvalidExpressionException(String problem, String remedy) {
        super(problem + "; " + remedy);
        this.problem = problem;
        this.remedy = remedy;
    }

    /** {@return what is wrong, beginning with the expression} */
    public String problem() {
        return problem;
    }

    /** {@return what to write instead} */
    public String remedy() {
        return remedy;
    }
}
