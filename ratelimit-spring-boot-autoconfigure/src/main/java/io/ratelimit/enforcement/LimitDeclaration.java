package io.ratelimit.enforcement;

import io.ratelimit.expression.CallParameters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user wrote about one limit, in an annotation or a rule, before it is checked by {@link LimitSpecFactory}. Texts
 * have their placeholders replaced; empty ones are as good as not given.
 */
public final class LimitDeclaration {

    /** Begins the subject of every limit that is declared in code. */
    public static final String METHOD = "method ";

    final String subject;

    final String ownName;

    final Origin origin;

    String name = "";

    String policy = "";

    String key = "";

    String cost = "";

    String condition = "";

    String countWhen = "";

    boolean shadow;

    @Nullable
    Phase phase;

    CallParameters parameters = CallParameters.none();

    final List<LimitText> limits = new ArrayList<>();

    private LimitDeclaration(String subject, String ownName, Origin origin) {
        this.subject = subject;
        this.ownName = ownName;
        this.origin = origin;
    }

    /** Where limits are declared. */
    enum Origin {
        /** In a rule of the configuration. */
        RULE,
        /** In an annotation. */
        CODE
    }

    /**
     * Declares a limit of a rule. The rule's name is its bucket and stands on the wire.
     *
     * @param name the rule's name
     * @return a declaration to complete
     */
    public static LimitDeclaration ofRule(String name) {
        return new LimitDeclaration("rule '%s'".formatted(name), name, Origin.RULE).name(name);
    }

    /**
     * Declares a limit of an annotated method or class.
     *
     * @param subject named in messages: "method CatalogController.search"
     * @param ownName the bucket of a limit without a name: "CatalogController.search"
     * @return a declaration to complete
     */
    public static LimitDeclaration ofCode(String subject, String ownName) {
        return new LimitDeclaration(subject, ownName, Origin.CODE);
    }

    /**
     * Sets the explicit name.
     *
     * @param newName name of the bucket, also on the wire
     * @return this declaration
     */
    public LimitDeclaration name(String newName) {
        this.name = newName;
        return this;
    }

    /**
     * Sets the policy.
     *
     * @param newPolicy a name, or a template that chooses one
     * @return this declaration
     */
    public LimitDeclaration policy(@Nullable String newPolicy) {
        this.policy = orEmpty(newPolicy);
        return this;
    }

    /**
     * Adds an inline limit; an empty one is ignored.
     *
     * @param limit its words
     * @return this declaration
     */
    public LimitDeclaration limit(LimitText limit) {
        if (!limit.isEmpty()) {
            limits.add(limit);
        }
        return this;
    }

    /**
     * Sets the key.
     *
     * @param newKey SpEL; empty for the default key
     * @return this declaration
     */
    public LimitDeclaration key(@Nullable String newKey) {
        this.key = orEmpty(newKey);
        return this;
    }

    /**
     * Sets the cost.
     *
     * @param newCost SpEL; empty for 1
     * @return this declaration
     */
    public LimitDeclaration cost(@Nullable String newCost) {
        this.cost = orEmpty(newCost);
        return this;
    }

    /**
     * Sets the condition.
     *
     * @param newCondition SpEL; empty for always
     * @return this declaration
     */
    public LimitDeclaration condition(@Nullable String newCondition) {
        this.condition = orEmpty(newCondition);
        return this;
    }

    /**
     * Sets what decides afterwards whether a request counts.
     *
     * @param newCountWhen SpEL; empty for the policy's, or every request
     * @return this declaration
     */
    public LimitDeclaration countWhen(@Nullable String newCountWhen) {
        this.countWhen = orEmpty(newCountWhen);
        return this;
    }

    /**
     * Sets whether the limit only decides and measures.
     *
     * @param newShadow whether it never refuses
     * @return this declaration
     */
    public LimitDeclaration shadow(boolean newShadow) {
        this.shadow = newShadow;
        return this;
    }

    /**
     * Sets when the limit decides.
     *
     * @param newPhase {@code null} to find out from the expressions
     * @return this declaration
     */
    public LimitDeclaration phase(@Nullable Phase newPhase) {
        this.phase = newPhase;
        return this;
    }

    /**
     * Sets the arguments that expressions may use.
     *
     * @param newParameters the parameters of the method
     * @return this declaration
     */
    public LimitDeclaration parameters(CallParameters newParameters) {
        this.parameters = newParameters;
        return this;
    }

    String bucket() {
        return name.isEmpty() ? ownName : name;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text.trim();
    }
}
