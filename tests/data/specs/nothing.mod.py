# A model without operands, and one without operations and outputs.

m0 = Model("nothing")
Example({}, model=m0, name="nothing").DisableLifeTimeVariation()

m1_op0 = Input("op0", ["TENSOR_FLOAT32", [1]])
m1_op1 = Internal("op1", ["TENSOR_FLOAT32", [1]])
m1 = Model("no_operation")
m1.IdentifyInputs(m1_op0)
Example({m1_op0: [1.0]}, model=m1, name="no_operation").DisableLifeTimeVariation()
