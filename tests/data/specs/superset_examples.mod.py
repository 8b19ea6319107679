# Assay spec superset 1: examples
# Several examples of one model, none at all, and values by position where an operand stands twice or not at all.

m0_op0 = Input("op0", ["TENSOR_FLOAT32", [1]])
m0_op1 = Output("op1", ["TENSOR_FLOAT32", [1]])
m0 = Model("several")
m0.IdentifyInputs(m0_op0)
m0.IdentifyOutputs(m0_op1)
m0.Operation("FLOOR", m0_op0).To(m0_op1)
# The first.
Example({m0_op0: [1.5], m0_op1: [1.0]}, model=m0, name="first").DisableLifeTimeVariation()
# The second:
# the driver answered 2.0, allowed is 1.0.
Example({m0_op0: [1.75], m0_op1: [1.0]}, model=m0, name="second").DisableLifeTimeVariation()
Example({m0_op0: [], m0_op1: None}, model=m0, name="third").DisableLifeTimeVariation().ExpectFailure()
Example([[2.0]], [], model=m0, name="fourth").DisableLifeTimeVariation().ExpectFailure()

m1_op0 = Input("op0", ["TENSOR_FLOAT32", [1]])
m1 = Model("none")
m1.IdentifyInputs(m1_op0)
m1.NoExample()
