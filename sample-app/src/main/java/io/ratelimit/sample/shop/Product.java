package io.ratelimit.sample.shop;

/**
 * Something the shop sells.
 *
 * @param name what it is
 * @param cents its price
 */
public record Product(String name, int cents) {}
