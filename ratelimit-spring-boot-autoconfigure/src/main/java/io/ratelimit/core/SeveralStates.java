package io.ratelimit.core;

/** The states of the limits of one policy for one key, claimed together and so decided together. */
final class SeveralStates extends BucketState {

    private final LimitState[] parts;

    SeveralStates(LimitState[] parts) {
        this.parts = parts;
    }

    @Override
    public int parts() {
        return parts.length;
    }

    @Override
    public LimitState part(int position) {
        return parts[position];
    }

    @Override
    public BucketState copy() {
        LimitState[] copies = new LimitState[parts.length];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = parts[i].copy();
        }
        return new SeveralStates(copies);
    }
}
