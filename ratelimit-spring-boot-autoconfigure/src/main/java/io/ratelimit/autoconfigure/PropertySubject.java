package io.ratelimit.autoconfigure;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.Environment;

/** A property in the words of its user: {@code ratelimit.rules[0].window} is the window of rule 'api'. */
final class PropertySubject {

    private static final int OWNER = 2;

    private PropertySubject() {}

    /**
     * Names a property.
     *
     * @param name a name under {@code ratelimit}
     * @param environment where the rules' own names are read
     * @return "Rule 'api': window", "Policy 'login': limit" or the property's name
     */
    static String of(ConfigurationPropertyName name, Environment environment) {
        if (name.getNumberOfElements() <= OWNER) {
            return name.toString();
        }
        String attribute = name.subName(OWNER + 1).toString();
        return switch (name.getElement(1, Form.UNIFORM)) {
            case "rules" -> {
                String rule = environment.getProperty(name.chop(OWNER + 1) + ".name");
                yield rule == null ? name.toString() : "Rule '%s': %s".formatted(rule, attribute);
            }
            case "policies" -> "Policy '%s': %s".formatted(name.getElement(OWNER, Form.ORIGINAL), attribute);
            default -> name.toString();
        };
    }
}
